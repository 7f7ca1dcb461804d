import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { hermesParser } from '@hermes/parsers/hermes';
import type { AssistantMessage, Message, Tokenizer } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { isExpected } from '@hermes/vitest-config/services';
import { expect, it } from 'vitest';
import { createPromptMaker } from '../src/template/prompt-maker.ts';
import { reasoningTags } from '../src/template/reasoning-tags.ts';
import { WEATHER } from './_support/session.ts';
import { smallTokenizer } from './_support/small-tokenizer.ts';

const QUESTION: Message = { role: 'user', content: 'Hello there' };
const CALL: AssistantMessage = {
  role: 'assistant',
  content: '',
  tool_calls: [
    {
      id: 'abcdefghi',
      type: 'function',
      function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
    },
  ],
};
const RESULT: Message = { role: 'tool', tool_call_id: 'abcdefghi', content: 'sun' };
const ANSWER: AssistantMessage = { role: 'assistant', content: 'It is sunny' };
const MORE: Message = { role: 'user', content: 'Thanks' };

const conversations = [
  { before: [QUESTION], answer: ANSWER, after: [MORE], tools: [] },
  { before: [QUESTION], answer: CALL, after: [RESULT], tools: [WEATHER] },
  { before: [QUESTION, CALL, RESULT], answer: ANSWER, after: [MORE], tools: [WEATHER] },
] as const;

/** Where `tooling/services/templates.sh` puts the templates of many models, which are not part of this repository. */
function realTemplates(): readonly (readonly [name: string, template: string])[] {
  const cache = process.env.HERMES_SERVICES_CACHE ?? join(homedir(), '.cache', 'hermes-services');
  const folder = process.env.HERMES_TEST_TEMPLATES ?? join(cache, 'chat-templates');
  const files = readdirSync(folder).filter((name) => name.endsWith('.jinja'));
  return files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
}

/** What a bridge is in a whole conversation of this template. */
function outcome(
  tokenizer: Tokenizer,
  { before, answer, after, tools }: (typeof conversations)[number],
) {
  const settings = tools.length > 0 ? { tools } : {};
  try {
    const template = createPromptMaker(tokenizer, reasoningTags(hermesParser)).template(
      settings,
      '',
    );
    const whole = template.whole([...before, answer, ...after]).text;
    const bridge = template.bridge(answer, after, false);
    if (bridge === null) return 'begins anew';
    return whole.endsWith(bridge.text) ? 'goes on' : `${bridge.text} is not how ${whole} ends`;
  } catch (error) {
    if (HermesError.isInstance(error)) return 'refused';
    throw error;
  }
}

it.runIf(isExpected('transformers'))(
  'a bridge is how the templates of real models end the longer conversation, in most of them and never otherwise',
  () => {
    const count = new Map<string, number>();
    for (const [, template] of realTemplates()) {
      const tokenizer = smallTokenizer(template, { specialIn: template });
      for (const conversation of conversations) {
        const found = outcome(tokenizer, conversation);
        count.set(found, (count.get(found) ?? 0) + 1);
      }
    }
    expect([...count.keys()].sort()).toEqual(['begins anew', 'goes on', 'refused']);
    expect(count.get('goes on')).toBeGreaterThan(3 * (count.get('begins anew') ?? 0));
  },
  60_000,
);
