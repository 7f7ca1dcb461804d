/** Absent, or what clients write for it. */
type Missing = null | undefined;

/** A block of text. */
type WireText = { readonly type: 'text'; readonly text: string };

/** A block with an image. */
type WireImage = {
  readonly type: 'image';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
    | { readonly type: 'url'; readonly url: string };
};

/** A call of a tool. */
export type WireToolUse = {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input?: unknown;
};

/** What a tool gave. */
type WireToolResult = {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly (WireText | WireImage)[] | Missing;
};

/** A thought of the model. */
type WireThinking = { readonly type: 'thinking'; readonly thinking: string };

export type UserBlock = WireText | WireImage | WireToolResult;
export type AssistantBlock = WireText | WireToolUse | WireThinking;

/** A message as it comes. */
export type WireMessage =
  | { readonly role: 'user'; readonly content: string | readonly UserBlock[] }
  | { readonly role: 'assistant'; readonly content: string | readonly AssistantBlock[] };

/** A tool as an agent describes it. */
export type WireTool = {
  readonly name: string;
  readonly description?: string | Missing;
  readonly input_schema: Readonly<Record<string, unknown>>;
};

/** The body of a message request. */
export type MessagesBody = {
  readonly messages: readonly WireMessage[];
  readonly system?: string | readonly WireText[] | Missing;
  readonly max_tokens: number;
  readonly tools?: readonly WireTool[] | Missing;
  readonly tool_choice?:
    | { readonly type: 'auto' | 'any' | 'none' }
    | { readonly type: 'tool'; readonly name: string }
    | Missing;
  readonly temperature?: number | Missing;
  readonly top_p?: number | Missing;
  readonly top_k?: number | Missing;
  readonly stop_sequences?: readonly string[] | Missing;
  readonly stream?: boolean | Missing;
};
