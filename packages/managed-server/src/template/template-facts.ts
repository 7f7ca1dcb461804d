import { type AssistantMessage, HermesError, type Tokenizer } from '@hermes/protocol';
import { type BridgeBase, bridgeBase } from './bridge.ts';
import { keepsContext } from './keeps-context.ts';
import { ANSWER, type Follow, QUESTION } from './proof-messages.ts';
import { type PromptSettings, renderRequest } from './render-request.ts';
import { keepsThoughts } from './thoughts.ts';

/** What is proven of a template with the same tools and switches; each at its first use. */
export interface TemplateFacts {
  /** The template tells the model of the tools. */
  takesTools(): boolean;
  /** Earlier turns stay as they are when messages follow. */
  keepsContext(): boolean;
  /** Earlier thoughts stay where they are when such messages follow. */
  keepsThoughts(follow: Follow): boolean;
  /** What bridges behind an answer without calls begin with, in the order of trying. */
  plainBases(): readonly BridgeBase[];
}

/** A template that refuses a conversation of ours proves nothing. */
export function templateFacts(
  tokenizer: Tokenizer,
  settings: PromptSettings,
  tags: readonly [open: string, close: string] | null,
): TemplateFacts {
  const hasTools = (settings.tools ?? []).length > 0;
  const proof = (look: () => boolean) => once(() => unlessRefused(look, false));
  const thoughts = (follow: Follow) =>
    proof(() => keepsThoughts(tokenizer, settings, tags, follow));
  const behindResult = thoughts('toolResult');
  const behindOther = thoughts('other');
  return {
    takesTools: proof(() => rendersTools(tokenizer, settings)),
    keepsContext: proof(
      () =>
        keepsContext(tokenizer, settings, 'other') &&
        (!hasTools || keepsContext(tokenizer, settings, 'toolResult')),
    ),
    keepsThoughts: (follow) => (follow === 'toolResult' ? behindResult() : behindOther()),
    plainBases: once(() => [...bridgeBases(tokenizer, settings, ANSWER)]),
  };
}

/** The bases for bridges behind an answer: without a thought, and with one; without those that the template refuses. */
export function* bridgeBases(
  tokenizer: Tokenizer,
  settings: PromptSettings,
  answer: AssistantMessage,
): Generator<BridgeBase> {
  for (const withThought of [false, true]) {
    const render = () => bridgeBase(tokenizer, settings, answer, withThought);
    const base = unlessRefused(render, null);
    if (base !== null) yield base;
  }
}

/** What a look at a template gives, or something else where the template refuses to be rendered. */
export function unlessRefused<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch (error) {
    if (HermesError.isInstance(error) && error.code === 'TEMPLATE') return otherwise;
    throw error;
  }
}

function rendersTools(tokenizer: Tokenizer, settings: PromptSettings): boolean {
  const tools = settings.tools ?? [];
  if (tools.length === 0) return true;
  const { text } = tokenizer.render(renderRequest(settings, [QUESTION], true));
  return tools.every((tool) => text.includes(tool.function.name));
}

/** Computes at the first call, and keeps the result. */
function once<T>(compute: () => T): () => T {
  let result: { readonly value: T } | null = null;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}
