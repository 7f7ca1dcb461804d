import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import type { RenderRequest, Tokenizer } from '@hermes/protocol';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { TokenizerError } from '../src/index.ts';
import { chatCases } from './_chats.ts';
import { bytesWithTemplate, type PythonRender, renderInPython } from './_referee.ts';
import { SNIPPET_ARGUMENTS, SNIPPETS } from './_snippets.ts';

const MINUTES = 60_000;

/** Where `tooling/services/templates.sh` puts the templates of many models, which are not part of this repository. */
function realTemplates(): Record<string, string> {
  const cache = process.env.HERMES_SERVICES_CACHE ?? join(homedir(), '.cache', 'hermes-services');
  const folder = process.env.HERMES_TEST_TEMPLATES ?? join(cache, 'chat-templates');
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder).filter((name) => name.endsWith('.jinja'));
  return Object.fromEntries(
    files.map((name) => [basename(name, '.jinja'), readFileSync(join(folder, name), 'utf8')]),
  );
}

type Outcome = 'same' | 'both fail' | 'refused' | string;

/** Compares one rendering with that of Python; a difference is shown as both texts. */
function outcome(tokenizer: Tokenizer, request: RenderRequest, python: PythonRender): Outcome {
  try {
    const { text } = tokenizer.render(request);
    if (python[0] === 'ok' && python[1] === text) return 'same';
    return `${JSON.stringify(text)} is not ${JSON.stringify(python)}`;
  } catch (error) {
    if (!(error instanceof TokenizerError)) throw error;
    if (error.code === 'UNSUPPORTED') return 'refused';
    return python[0] === 'error'
      ? 'both fail'
      : `${error.message} is not ${JSON.stringify(python)}`;
  }
}

async function outcomes(
  templates: Readonly<Record<string, string>>,
  requests: readonly RenderRequest[],
): Promise<Map<Outcome, number>> {
  const answers = await renderInPython(templates, requests);
  const counts = new Map<Outcome, number>();
  for (const [name, template] of Object.entries(templates)) {
    const tokenizer = bytesWithTemplate(template);
    for (const [index, request] of requests.entries()) {
      const result = outcome(tokenizer, request, answers[name]?.[index] ?? ['error', 'no answer']);
      const shown = /^(same|both fail|refused)$/.test(result) ? result : `${name}: ${result}`;
      counts.set(shown, (counts.get(shown) ?? 0) + 1);
    }
  }
  return counts;
}

describe.runIf(isExpected('transformers'))('templates beside transformers', () => {
  it(
    'what Python and JavaScript see differently is rendered as Python sees it, or refused',
    async () => {
      const templates = Object.fromEntries(SNIPPETS.map((source) => [source, source]));
      const request: RenderRequest = {
        messages: [{ role: 'user', content: 'hi' }],
        generationPrompt: false,
        arguments: SNIPPET_ARGUMENTS,
      };
      const counts = await outcomes(templates, [request]);
      expect([...counts.keys()].sort()).toEqual(['both fail', 'refused', 'same']);
      expect(counts.get('refused')).toBe(2);
    },
    2 * MINUTES,
  );

  it(
    'templates of real models give the same text, with and without tools, thinking and generation prompt',
    async () => {
      const counts = await outcomes({ ...realTemplates(), chatml: CHATML }, chatCases());
      expect([...counts.keys()].filter((key) => key !== 'both fail')).toEqual(['same']);
    },
    8 * MINUTES,
  );
});

const CHATML = `{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' + (message.content if message.content is string else '') | trim }}
    {%- for call in message.tool_calls or [] %}
        {{- '\\n<tool_call>' ~ call.function | tojson ~ '</tool_call>' }}
    {%- endfor %}
    {{- '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}`;
