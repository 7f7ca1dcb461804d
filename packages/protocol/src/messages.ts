import type { JsonSchema } from './json.ts';

/** A piece of text in a message. */
export type TextPart = Readonly<{ type: 'text'; text: string }>;

/** An image in a message: a `data:` or `https:` address. */
export type ImagePart = Readonly<{
  type: 'image_url';
  image_url: Readonly<{ url: string; detail?: 'auto' | 'low' | 'high' }>;
}>;

/** One piece of a message whose content is a list. */
export type ContentPart = TextPart | ImagePart;

/** A tool call as it stands in an assistant message. */
export type ToolCall = Readonly<{
  /** The model's own id; may repeat within a rollout. */
  id: string;
  type: 'function';
  function: Readonly<{
    name: string;
    /** JSON text as the model wrote it; in the history of a loop always an object (`{}` for a bad call). */
    arguments: string;
  }>;
}>;

/** Instructions that stand before the conversation. */
export type SystemMessage = Readonly<{
  role: 'system' | 'developer';
  content: string | readonly TextPart[];
}>;

/** What the user, or the task, says. */
export type UserMessage = Readonly<{ role: 'user'; content: string | readonly ContentPart[] }>;

/** What the model answered. */
export type AssistantMessage = Readonly<{
  role: 'assistant';
  /** The loop writes `''` for "none"; null only comes in from others. */
  content: string | readonly TextPart[] | null;
  /** Absent when there are none, never an empty list. */
  tool_calls?: readonly ToolCall[];
  reasoning_content?: string;
}>;

/** The result of one tool call. */
export type ToolMessage = Readonly<{
  role: 'tool';
  /** The id of the call in the assistant message before. */
  tool_call_id: string;
  content: string | readonly ContentPart[];
}>;

/** One message of a conversation, in OpenAI's own shape and names. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A tool as a model is told of it. */
export type ToolSchema = Readonly<{
  type: 'function';
  function: Readonly<{
    name: string;
    description?: string;
    /** Absent: the tool takes no arguments. */
    parameters?: JsonSchema;
  }>;
}>;
