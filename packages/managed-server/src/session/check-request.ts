import { type ChatRequest, type Message, ModelError } from '@hermes/protocol';

/** Refuses what cannot be said in tokens, rather than leaving it out. */
export function checkRequest({ messages, extraBody, toolChoice, tools = [] }: ChatRequest): void {
  if (messages.length === 0) throw refused('BAD_REQUEST', 'has no messages', 'give at least one');
  if (messages.some(hasImage))
    throw refused('UNSUPPORTED', 'holds an image', 'a prompt of token ids has room for text only');
  if (Object.keys(extraBody ?? {}).length > 0)
    throw refused('UNSUPPORTED', 'has an extraBody', 'a token engine is sent no chat body');
  const needsTools = toolChoice !== undefined && toolChoice !== 'auto' && toolChoice !== 'none';
  if (needsTools && tools.length === 0)
    throw refused('BAD_REQUEST', 'requires a call and has no tools', 'give the tools');
}

function hasImage({ content }: Message): boolean {
  return Array.isArray(content) && content.some((part) => part.type === 'image_url');
}

function refused(code: 'BAD_REQUEST' | 'UNSUPPORTED', what: string, advice: string): ModelError {
  return new ModelError(code, `The request ${what}: ${advice}.`);
}
