/** How fast a long text is encoded, against the Rust tokenizers through Python on the same machine (HERMES_TEST_PYTHON has transformers). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleave, report } from '@hermes/bench';
import type { Tokenizer } from '@hermes/protocol';
import { createTokenizer } from '../src/index.ts';

const FAMILIES = ['gpt2', 'llama3', 'qwen2', 'o200k', 'deepseek', 'llama2', 'gemma'];
const CHARACTERS = 1_000_000;

const folder = mkdtempSync(join(tmpdir(), 'hermes-tokenizer-bench-'));
try {
  const models = join(folder, 'models');
  python('../test/referee/make_tokenizers.py', models);
  for (const name of readdirSync(models))
    if (!FAMILIES.includes(name)) rmSync(join(models, name), { recursive: true });
  const text = longText();
  writeFileSync(join(folder, 'text'), text);
  const peer = rustSeconds(python('encode.py', models, join(folder, 'text')));
  const timings = await interleave(
    FAMILIES.map((name) => ({ name, run: encoding(load(join(models, name)), text) })),
    5,
  );
  await report(
    import.meta.url,
    FAMILIES.map((name) => ({
      name: `${name}, throughput / Rust through Python`,
      value: ((peer[name] ?? 0) * 1000) / (timings[name]?.minMs ?? 0),
      bound: 0.34,
      direction: 'at_least' as const,
    })),
    { characters: text.length, timings, rustSeconds: peer },
  );
} finally {
  rmSync(folder, { recursive: true });
}

function python(script: string, ...args: readonly string[]): string {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const command = process.env.HERMES_TEST_PYTHON ?? 'python3';
  const env = { ...process.env, HF_HUB_OFFLINE: '1', TOKENIZERS_PARALLELISM: 'false' };
  return execFileSync(command, [path, ...args], { encoding: 'utf8', env, maxBuffer: 2 ** 26 });
}

function rustSeconds(lines: string): Record<string, number> {
  const rows = lines
    .trim()
    .split('\n')
    .map((line): { name: string; seconds: number } => JSON.parse(line));
  return Object.fromEntries(rows.map(({ name, seconds }) => [name, seconds]));
}

/** Sources and documentation of this package, again and again with other numbers between them. */
function longText(): string {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(src|test|README).*\.(ts|md)$/.test(name))
    .sort();
  const once = files.map((name) => readFileSync(join(root, name), 'utf8')).join('\n');
  let text = '';
  for (let round = 0; text.length < CHARACTERS; round += 1) text += `${round} ${once}`;
  return text.slice(0, CHARACTERS);
}

function load(place: string): Tokenizer {
  return createTokenizer({ tokenizerJson: readFileSync(join(place, 'tokenizer.json'), 'utf8') });
}

function encoding(tokenizer: Tokenizer, text: string): () => Promise<number> {
  return async () => tokenizer.encode(text).length;
}
