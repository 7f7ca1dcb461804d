import type { Dialect } from '../dialect.ts';
import { readCall } from './read-call.ts';
import { streamWriter } from './stream-writer.ts';
import { writeAnswer } from './write-answer.ts';
import { writeError } from './write-error.ts';

/** Anthropic's messages. */
export const messagesDialect: Dialect = {
  name: 'messages',
  read: readCall,
  answer: writeAnswer,
  stream: streamWriter,
  refusal: writeError,
};
