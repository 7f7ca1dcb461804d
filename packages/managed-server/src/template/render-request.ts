import type { ChatRequest, Message, RenderRequest } from '@hermes/protocol';

/** What of a request reaches the chat template beside the messages. */
export type PromptSettings = Pick<ChatRequest, 'tools' | 'templateArguments'>;

/** A conversation as the tokenizer renders it. No tools and an empty list of tools are the same. */
export function renderRequest(
  { tools = [], templateArguments }: PromptSettings,
  messages: readonly Message[],
  generationPrompt: boolean,
): RenderRequest {
  return {
    messages,
    generationPrompt,
    ...(tools.length > 0 && { tools }),
    ...(templateArguments !== undefined && { arguments: templateArguments }),
  };
}
