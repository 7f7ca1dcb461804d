import type { Message } from '@hermes/protocol';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { TokenizerError } from '../src/index.ts';
import { wellFormed } from '../src/text-tokenizer.ts';
import { askPython, temporaryFolder, tokenizersIn } from './_referee.ts';
import { hardTexts } from './_texts.ts';

const MINUTES = 60_000;
const TEMPLATE =
  "{% for m in messages %}{% if m.role == 'assistant' %}A: {% generation %}{{ m.content }}<|im_end|>{% endgeneration %}\n{% else %}U: {{ m.content }}\n{% endif %}{% endfor %}";

/** Families whose tokens can be followed in every text; the others refuse texts with unknown characters. */
const EXACT =
  'deepseek gemma gpt2 gpt4 kimi llama2 llama2_metaspace llama3 o200k qwen2 roberta starcoder'.split(
    ' ',
  );

function conversations(): Message[][] {
  const texts = hardTexts(100, 9).map(wellFormed);
  return texts.map((text, index) => [
    { role: 'user', content: `q ${texts[(index + 7) % texts.length]}` },
    { role: 'assistant', content: text },
    { role: 'user', content: 'more' },
    { role: 'assistant', content: ` ${text} ` },
  ]);
}

describe.runIf(isExpected('transformers'))('spans beside transformers', () => {
  it(
    'the tokens of the assistant are the same, or the text is refused',
    async () => {
      const folder = temporaryFolder();
      await askPython('make_tokenizers.py', [folder]);
      const chats = conversations();
      const answers = await askPython<Record<string, [number[], number[]][]>>(
        'masks.py',
        [folder, TEMPLATE],
        JSON.stringify(chats),
      );
      const refused = new Set<string>();
      for (const [name, tokenizer] of tokenizersIn(folder, TEMPLATE))
        for (const [index, messages] of chats.entries()) {
          try {
            const { ids, spans } = tokenizer.render({ messages, generationPrompt: false });
            const mask = ids.map((_, at) =>
              Number(spans.some((one) => one.generated && at >= one.start && at < one.end)),
            );
            expect([ids, mask], `${name}, conversation ${index}`).toEqual(answers[name]?.[index]);
          } catch (error) {
            if (!(error instanceof TokenizerError && error.code === 'UNSUPPORTED')) throw error;
            refused.add(name);
          }
        }
      expect(EXACT.filter((name) => refused.has(name))).toEqual([]);
    },
    8 * MINUTES,
  );
});
