import type { AssistantMessage, Message, Tokenizer } from '@hermes/protocol';
import { ModelError } from '@hermes/protocol';
import type { PromptKey } from '../session/segment.ts';
import { type Bridge, renderBridge } from './bridge.ts';
import { type PromptSettings, renderRequest } from './render-request.ts';
import { type Follow, keepsThoughts } from './thoughts.ts';

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
  /** Whether a template leaves earlier thoughts where they are when these messages follow. */
  keepsThoughts(settings: PromptSettings, key: PromptKey, messages: readonly Message[]): boolean;
}

/** `tags`: how the model's format writes a thought; null = it does not. */
export function createPromptMaker(
  tokenizer: Tokenizer,
  tags: readonly [open: string, close: string] | null,
): PromptMaker {
  const takesTools = remembered((settings) => rendersTools(tokenizer, settings));
  const kept = remembered((settings, follow) => keepsThoughts(tokenizer, settings, tags, follow));
  return {
    whole(settings, key, messages) {
      if (!takesTools(settings, key, 'other')) throw droppedTools();
      return tokenizer.render(renderRequest(settings, messages, true));
    },
    bridge: (settings, answer, messages) => renderBridge(tokenizer, settings, answer, messages),
    keepsThoughts(settings, key, messages) {
      const isResult = messages.length > 0 && messages.every(({ role }) => role === 'tool');
      return kept(settings, key, isResult ? 'toolResult' : 'other');
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
    const value = known.get(name) ?? prove(settings, follow);
    if (known.size >= REMEMBERED && !known.has(name)) known.clear();
    known.set(name, value);
    return value;
  };
}

const REMEMBERED = 256;

function rendersTools(tokenizer: Tokenizer, settings: PromptSettings): boolean {
  const tools = settings.tools ?? [];
  if (tools.length === 0) return true;
  const { text } = tokenizer.render(renderRequest(settings, [PLAIN_QUESTION], true));
  return tools.every((tool) => text.includes(tool.function.name));
}

const PLAIN_QUESTION: Message = { role: 'user', content: 'Which bird?' };

function droppedTools(): ModelError {
  return new ModelError(
    'UNSUPPORTED',
    'The chat template of the model leaves tools out, so the model would never learn of them: use a template that takes tools, or run without tools.',
  );
}
