import type { JsonSchema } from './json.ts';

export type TextPart = Readonly<{ type: 'text'; text: string }>;
export type ImagePart = Readonly<{
  type: 'image_url';
  image_url: Readonly<{ url: string; detail?: 'auto' | 'low' | 'high' }>;
}>;
export type ContentPart = TextPart | ImagePart;
export type ToolCall = Readonly<{
  id: string;
  type: 'function';
  function: Readonly<{ name: string; arguments: string }>;
}>;
export type SystemMessage = Readonly<{
  role: 'system' | 'developer';
  content: string | readonly TextPart[];
}>;
export type UserMessage = Readonly<{ role: 'user'; content: string | readonly ContentPart[] }>;
/** content: the loop writes '' for "none"; null only comes in from others. arguments: what the model wrote; in the history of a loop always a JSON object ('{}' for a bad call). */
export type AssistantMessage = Readonly<{
  role: 'assistant';
  content: string | readonly TextPart[] | null;
  tool_calls?: readonly ToolCall[];
  reasoning_content?: string;
}>;
export type ToolMessage = Readonly<{
  role: 'tool';
  tool_call_id: string;
  content: string | readonly ContentPart[];
}>;
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;
export type ToolSchema = Readonly<{
  type: 'function';
  function: Readonly<{ name: string; description?: string; parameters?: JsonSchema }>;
}>;
