/** Absent, or what clients write for it. */
type Missing = null | undefined;

/** A piece of text in a message. */
type WireText = { readonly type: 'text'; readonly text: string };

/** An image in a message. */
type WireImage = {
  readonly type: 'image_url';
  readonly image_url: {
    readonly url: string;
    readonly detail?: 'auto' | 'low' | 'high' | undefined;
  };
};

type AnyContent = string | readonly (WireText | WireImage)[];

/** A call in an agent's history. */
type WireCall = {
  readonly id: string;
  readonly type: 'function';
  /** `arguments`: a text, as it should be, or an object. */
  readonly function: { readonly name: string; readonly arguments?: unknown };
};

/** An answer in an agent's history. */
export type WireAssistant = {
  readonly role: 'assistant';
  readonly content?: string | readonly WireText[] | Missing;
  readonly tool_calls?: readonly WireCall[] | Missing;
  readonly reasoning_content?: string | Missing;
  /** The newer name of the same. */
  readonly reasoning?: string | Missing;
};

/** Any message but an answer. */
export type WireContext =
  | { readonly role: 'system' | 'developer'; readonly content: string | readonly WireText[] }
  | { readonly role: 'user'; readonly content: AnyContent }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: AnyContent };

/** A tool as an agent describes it. */
export type WireTool = {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string | Missing;
    readonly parameters?: Readonly<Record<string, unknown>> | Missing;
  };
};

/** The body of a chat completion. */
export type ChatBody = {
  readonly messages: readonly (WireContext | WireAssistant)[];
  readonly tools?: readonly WireTool[] | Missing;
  readonly tool_choice?:
    | 'auto'
    | 'none'
    | 'required'
    | { readonly function: { readonly name: string } }
    | Missing;
  readonly n?: number | Missing;
  readonly stream?: boolean | Missing;
  readonly stream_options?: { readonly include_usage?: boolean | Missing } | Missing;
  readonly max_tokens?: number | Missing;
  readonly max_completion_tokens?: number | Missing;
  readonly temperature?: number | Missing;
  readonly top_p?: number | Missing;
  readonly top_k?: number | Missing;
  readonly min_p?: number | Missing;
  readonly seed?: number | Missing;
  readonly stop?: string | readonly string[] | Missing;
  readonly frequency_penalty?: number | Missing;
  readonly presence_penalty?: number | Missing;
  readonly repetition_penalty?: number | Missing;
  readonly chat_template_kwargs?: Readonly<Record<string, unknown>> | Missing;
};
