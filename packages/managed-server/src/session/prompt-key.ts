import type { ChatRequest } from '@hermes/protocol';
import type { PromptKey } from './segment.ts';

/** Two requests with the same key are rendered by the same template with the same tools and switches. */
export function promptKey({ tools = [], templateArguments = {} }: ChatRequest): PromptKey {
  return JSON.stringify([tools, templateArguments]);
}
