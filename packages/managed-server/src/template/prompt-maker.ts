import type { AssistantMessage, Message, Tokenizer } from '@hermes/protocol';
import { HermesError, ModelError } from '@hermes/protocol';
import type { PromptKey } from '../session/segment.ts';
import { type Bridge, renderBridge } from './bridge.ts';
import { keepsContext } from './keeps-context.ts';
import { type Follow, QUESTION } from './proof-messages.ts';
import { type PromptSettings, renderRequest } from './render-request.ts';
import { keepsThoughts } from './thoughts.ts';

/** Rendered text and its ids. */
export type Prompt = Readonly<{ text: string; ids: readonly number[] }>;

/** Renders prompts and bridges, and remembers what it proved of a template. Shared by all sessions. */
export interface PromptMaker {
  /** A whole conversation. */
  whole(settings: PromptSettings, key: PromptKey, messages: readonly Message[]): Prompt;
  /** What goes behind an answer; null = the template cannot be extended there. */
  bridge(
    settings: PromptSettings,
    answer: AssistantMessage,
    messages: readonly Message[],
  ): Bridge | null;
  /** Whether earlier turns stay as they are when messages follow. */
  keepsContext(settings: PromptSettings, key: PromptKey): boolean;
  /** Whether earlier thoughts stay where they are when these messages follow. */
  keepsThoughts(settings: PromptSettings, key: PromptKey, messages: readonly Message[]): boolean;
}

/** `tags`: how the model's format writes a thought; null = it does not. */
export function createPromptMaker(
  tokenizer: Tokenizer,
  tags: readonly [open: string, close: string] | null,
): PromptMaker {
  const takesTools = remembered((settings) => rendersTools(tokenizer, settings));
  const thoughts = remembered((settings, follow) =>
    keepsThoughts(tokenizer, settings, tags, follow),
  );
  const context = remembered((settings, follow) => keepsContext(tokenizer, settings, follow));
  return {
    whole(settings, key, messages) {
      if (!takesTools(settings, key, 'other')) throw droppedTools();
      return tokenizer.render(renderRequest(settings, messages, true));
    },
    bridge: (settings, answer, messages) =>
      unlessRefused(() => renderBridge(tokenizer, settings, answer, messages), null),
    keepsContext(settings, key) {
      const hasTools = (settings.tools ?? []).length > 0;
      return context(settings, key, 'other') && (!hasTools || context(settings, key, 'toolResult'));
    },
    keepsThoughts(settings, key, messages) {
      const isResult = messages.length > 0 && messages.every(({ role }) => role === 'tool');
      return thoughts(settings, key, isResult ? 'toolResult' : 'other');
    },
  };
}

/** A template with the same tools and switches always does the same. The last few are enough: rollouts of one run share their tools. */
function remembered(
  prove: (settings: PromptSettings, follow: Follow) => boolean,
): (settings: PromptSettings, key: PromptKey, follow: Follow) => boolean {
  const known = new Map<string, boolean>();
  return (settings, key, follow) => {
    const name = `${follow} ${key}`;
    const value = known.get(name) ?? unlessRefused(() => prove(settings, follow), false);
    if (known.size >= REMEMBERED && !known.has(name)) known.clear();
    known.set(name, value);
    return value;
  };
}

const REMEMBERED = 256;

/** A template that refuses a conversation of ours proves nothing. */
function unlessRefused<T>(look: () => T, otherwise: T): T {
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

function droppedTools(): ModelError {
  return new ModelError(
    'UNSUPPORTED',
    'The chat template of the model leaves tools out, so the model would never learn of them: use a template that takes tools, or run without tools.',
  );
}
