import type { Dialect } from '../dialect.ts';
import { readCall } from './read-call.ts';
import { streamWriter } from './stream-writer.ts';
import { writeAnswer } from './write-answer.ts';
import { writeError } from './write-error.ts';

/** OpenAI's chat completions. */
export const chatDialect: Dialect = {
  name: 'chat',
  read: readCall,
  answer: writeAnswer,
  stream: streamWriter,
  refusal: writeError,
};
