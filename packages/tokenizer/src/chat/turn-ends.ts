import type { ComponentJson } from '../pipeline/component.ts';
import type { TextTokenizer } from '../text-tokenizer.ts';
import { TokenizerError } from '../tokenizer-error.ts';
import type { ChatRenderer } from './chat-renderer.ts';

/**
 * The ids that end a turn: first the one that the template itself writes behind an answer, then the
 * `eos_token`, then those of the generation configuration.
 */
export function findTurnEnds(
  text: TextTokenizer,
  renderer: ChatRenderer,
  generation: ComponentJson,
): number[] {
  const eos = text.named.get('eos_token');
  const ids = [
    ...templateEnd(text, renderer),
    ...(eos === undefined ? [] : [text.idOf(eos)]),
    ...[generation.eos_token_id].flat(),
  ];
  return [...new Set(ids.filter((id) => typeof id === 'number'))];
}

const ANSWER = 'Kingfisher';

function templateEnd(text: TextTokenizer, renderer: ChatRenderer): number[] {
  if (!renderer.hasTemplate) return [];
  const rendered = renderAnswer(renderer);
  const behind = rendered.slice(rendered.lastIndexOf(ANSWER) + ANSWER.length);
  const special = text.encode(behind).find((id) => isSpecial(text, id));
  return rendered.includes(ANSWER) && special !== undefined ? [special] : [];
}

function isSpecial(text: TextTokenizer, id: number): boolean {
  return text.specialTokens.has(text.tokenOf(id) ?? '');
}

/** A template that cannot render the simplest conversation says so when it is used. */
function renderAnswer(renderer: ChatRenderer): string {
  try {
    return renderer.render({
      messages: [
        { role: 'user', content: 'Which bird?' },
        { role: 'assistant', content: ANSWER },
      ],
      generationPrompt: false,
    }).text;
  } catch (error) {
    if (error instanceof TokenizerError) return '';
    throw error;
  }
}
