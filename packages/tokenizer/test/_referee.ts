import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject, RenderRequest, Tokenizer } from '@hermes/protocol';
import { pythonCommand } from '@hermes/vitest-config/services';
import { onTestFinished } from 'vitest';
import { createTokenizer } from '../src/index.ts';
import { pythonCase } from './_chats.ts';

/** Runs one of the scripts beside this file; `input` comes to it as standard input. */
export async function askPython<T>(
  script: string,
  args: readonly string[],
  input = '',
): Promise<T> {
  const path = fileURLToPath(new URL(`referee/${script}`, import.meta.url));
  return new Promise((resolve, reject) => {
    const options = {
      maxBuffer: 2 ** 30,
      timeout: 400_000,
      env: { ...process.env, HF_HUB_OFFLINE: '1' },
    };
    const child = execFile(pythonCommand, [path, ...args], options, (error, stdout, stderr) => {
      if (error !== null) reject(new Error(`${script} failed: ${stderr}`, { cause: error }));
      else resolve(stdout === '' ? (undefined as T) : JSON.parse(stdout));
    });
    child.stdin?.end(input);
  });
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-tokenizer-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** The tokenizers in the folders of a folder, by name. */
export function tokenizersIn(folder: string, chatTemplate?: string): [string, Tokenizer][] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const read = (file: string): string => readFileSync(join(folder, name, file), 'utf8');
      const tokenizer = createTokenizer({
        tokenizerJson: read('tokenizer.json'),
        configJson: read('tokenizer_config.json'),
        ...(chatTemplate !== undefined && { chatTemplate }),
      });
      return [name, tokenizer];
    });
}

/** What Python makes of a conversation: its text, or that it fails. */
export type PythonRender = ['ok', text: string, generated: [number, number][]] | ['error', string];

/** Renders each conversation through each template, in Python. */
export function renderInPython(
  templates: Readonly<Record<string, string>>,
  requests: readonly RenderRequest[],
): Promise<Record<string, PythonRender[]>> {
  const cases = requests.map(pythonCase).join(',');
  return askPython<Record<string, PythonRender[]>>(
    'render.py',
    [],
    `{"templates":${JSON.stringify(templates)},"cases":[${cases}]}`,
  );
}

/** A tokenizer that has nothing but its template: every byte is a token. */
export function bytesWithTemplate(chatTemplate: string, config: JsonObject = {}): Tokenizer {
  return createTokenizer(
    {
      tokenizerJson: JSON.stringify(byteTokenizer([])),
      configJson: JSON.stringify({ bos_token: '<BOS>', eos_token: '<EOS>', ...config }),
      chatTemplate,
    },
    { now: () => new Date(2026, 2, 5, 14, 7, 9) },
  );
}

/** A byte-level tokenizer without merges; the special tokens have the ids behind the bytes. */
export function byteTokenizer(
  special: readonly string[],
  added: readonly string[] = [],
): JsonObject {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const printable = (byte: number): boolean =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  let spare = 256;
  const vocab = Object.fromEntries(
    bytes.map((byte) => [String.fromCharCode(printable(byte) ? byte : spare++), byte]),
  );
  const token = (content: string, id: number, isSpecial: boolean): JsonObject => ({
    id,
    content,
    special: isSpecial,
    normalized: false,
  });
  return {
    added_tokens: [
      ...special.map((content, index) => token(content, 256 + index, true)),
      ...added.map((content, index) => token(content, 256 + special.length + index, false)),
    ],
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab, merges: [] },
  };
}
