import type { AssistantMessage, Message, Tokenizer } from '@hermes/protocol';
import { ModelError } from '@hermes/protocol';
import type { PromptKey } from '../session/segment.ts';
import { type Bridge, renderBridge } from './bridge.ts';
import { type PromptSettings, renderRequest } from './render-request.ts';
import { bridgeBases, type TemplateFacts, templateFacts, unlessRefused } from './template-facts.ts';

/** Rendered text and its ids. */
type Prompt = Readonly<{ text: string; ids: readonly number[] }>;

/** Renders prompts and bridges, and remembers what it proved of a template. Shared by all sessions. */
export interface PromptMaker {
  /** For requests with this key: what their template does. */
  template(settings: PromptSettings, key: PromptKey): RequestTemplate;
}

/** The template of a request, with its tools and switches. */
interface RequestTemplate {
  /** A whole conversation. */
  whole(messages: readonly Message[]): Prompt;
  /**
   * What goes behind an answer; null = the template cannot be extended there. `hasThoughts`: the
   * model thought in the turns up to there, and its thoughts may stay only if the template keeps them.
   */
  bridge(
    answer: AssistantMessage,
    messages: readonly Message[],
    hasThoughts: boolean,
  ): Bridge | null;
}

/** `tags`: how the model's format writes a thought; null = it does not. */
export function createPromptMaker(
  tokenizer: Tokenizer,
  tags: readonly [open: string, close: string] | null,
): PromptMaker {
  const known = new Map<PromptKey, RequestTemplate>();
  return {
    template(settings, key) {
      const found = known.get(key);
      if (found !== undefined) return found;
      const facts = templateFacts(tokenizer, settings, tags);
      const template = requestTemplate(tokenizer, settings, facts);
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.set(key, template);
      return template;
    },
  };
}

/** Rollouts of one run share their tools: more than a few only come from sessions of foreign agents. */
const MOST_REMEMBERED = 256;

function requestTemplate(
  tokenizer: Tokenizer,
  settings: PromptSettings,
  facts: TemplateFacts,
): RequestTemplate {
  return {
    whole(messages) {
      if (!facts.takesTools()) throw droppedTools();
      return tokenizer.render(renderRequest(settings, messages, true));
    },
    bridge(answer, messages, hasThoughts) {
      if (!facts.keepsContext()) return null;
      if (hasThoughts && !facts.keepsThoughts(followOf(messages))) return null;
      const isPlain = (answer.tool_calls ?? []).length === 0;
      const bases = isPlain ? facts.plainBases() : bridgeBases(tokenizer, settings, answer);
      for (const base of bases) {
        const render = () => renderBridge(tokenizer, settings, base, messages);
        const bridge = unlessRefused(render, null);
        if (bridge !== null) return bridge;
      }
      return null;
    },
  };
}

function followOf(messages: readonly Message[]): 'toolResult' | 'other' {
  const isResult = messages.length > 0 && messages.every(({ role }) => role === 'tool');
  return isResult ? 'toolResult' : 'other';
}

function droppedTools(): ModelError {
  return new ModelError(
    'UNSUPPORTED',
    'The chat template of the model leaves tools out, so the model would never learn of them: use a template that takes tools, or run without tools.',
  );
}
