import { describe, expect, it } from 'vitest';
import { createTokenizer, type PrefixProof, provePrefix } from '../src/index.ts';
import { byteTokenizer } from './_referee.ts';

const TOOLS = [{ type: 'function' as const, function: { name: 'find_bird' } }];

function prove(template: string, withTools = true): PrefixProof {
  const tokenizer = createTokenizer({
    tokenizerJson: JSON.stringify(byteTokenizer(['<s>', '<e>'])),
    chatTemplate: template,
  });
  return provePrefix(tokenizer, withTools ? { tools: TOOLS } : {});
}

const HEAD = '{% if tools %}{{ tools | tojson }}{% endif %}';
const TURN =
  '<s>{{ m.role }}\n{{ m.content }}{% for c in m.tool_calls or [] %}{{ c | tojson }}{% endfor %}<e>\n';
const PROMPT = '{% if add_generation_prompt %}<s>assistant\n{% endif %}';

function chat(turn: string): string {
  return `${HEAD}{% for m in messages %}${turn}{% endfor %}${PROMPT}`;
}

describe('provePrefix', () => {
  it('holds for a template that writes each message by itself', () => {
    expect(prove(chat(TURN))).toEqual({
      extends: true,
      afterUserMessage: true,
      afterToolResult: true,
      because: null,
      breaks: [],
      dropsTools: false,
    });
  });

  it('finds thoughts that are dropped behind the next user message, and does not count them', () => {
    const proof = prove(
      chat(
        `{% if loop.last and m.thinking %}<think>{{ m.thinking }}</think>{% endif %}${TURN}`,
      ).replace('<s>{{', '<s>{{'),
    );
    expect(proof.extends).toBe(true);
    expect(proof.breaks.map(({ conversation }) => conversation)).toContain(
      'user message behind a thought',
    );
  });

  it('says what changed where an earlier answer is written anew', () => {
    const proof = prove(chat(`{{ messages | length if m.role == 'assistant' }}${TURN}`));
    expect(proof.extends).toBe(false);
    expect(proof.because).toMatch(/written differently when its result follows: .* became /);
  });

  it('tells tool results from user messages', () => {
    const users = "{{ messages | selectattr('role', 'equalto', 'user') | list | length }}";
    const proof = prove(chat(`{% if m.role == 'assistant' %}${users}{% endif %}${TURN}`));
    expect([proof.afterToolResult, proof.afterUserMessage]).toEqual([true, false]);
  });

  it('needs a token at the end of a turn', () => {
    const proof = prove(chat('[{{ m.content }}]'));
    expect(proof.because).toBe('the template writes no token at the end of a turn');
  });

  it('takes a template that refuses tool messages for one that cannot go on', () => {
    const proof = prove(
      chat(`{% if m.role == 'tool' %}{{ raise_exception('no tools') }}{% endif %}${TURN}`),
    );
    expect(proof.extends).toBe(false);
    expect(proof.because).toContain('no tools');
  });

  it('sees tools that a template ignores', () => {
    expect(prove(chat(TURN).replace(HEAD, '')).dropsTools).toBe(true);
    expect(prove(chat(TURN).replace(HEAD, ''), false).dropsTools).toBe(false);
  });
});
