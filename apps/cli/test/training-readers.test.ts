import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OpenModel } from '@hermes/env-core';
import { scriptedTokenModel } from '@hermes/protocol/testing';
import { isExpected, pythonCommand } from '@hermes/vitest-config/services';
import { expect, it } from 'vitest';
import { hermes, inFolder } from './_run.ts';
import { tokenModel } from './_training.ts';

const kinds = {
  messages: ['--format', 'messages'],
  sharegpt: ['--format', 'sharegpt'],
  tokens: ['--format', 'tokens'],
  groups: ['--lines', 'groups'],
} as const;
type Kind = keyof typeof kinds;

/** What the Python readers found in a file. */
type Found = Readonly<{
  problems: readonly string[];
  rows: number;
  first: Readonly<Record<string, unknown>>;
  texts: readonly string[];
}>;

/** The solution of the item, thought about first; of every second attempt only the last turn. */
const solving: OpenModel = async ({ identity, solution }) => {
  const turns = (await solution())?.turns ?? [];
  const played = identity.attempt % 2 === 0 ? turns : turns.slice(-1);
  return scriptedTokenModel(
    played.map(({ content, calls }, index) =>
      index === 0 ? { content, calls, reasoning: 'Let me <see> & "think".\n' } : { content, calls },
    ),
  );
};

/** A template of a real model, where `tooling/services/templates.sh` has put it. */
function realTemplates(): readonly string[] {
  const cache = process.env.HERMES_SERVICES_CACHE ?? join(homedir(), '.cache', 'hermes-services');
  const path = join(cache, 'chat-templates', 'Qwen-Qwen3-0.6B.jinja');
  return existsSync(path) ? [path] : [];
}

function schemaOf(kind: Kind): string {
  const manifest = createRequire(import.meta.url).resolve('@hermes/env-core/package.json');
  return join(dirname(manifest), 'schemas', `${kind}.json`);
}

type TrainingFile = Readonly<{ environment: string; kind: Kind; path: string }>;

const environments: Readonly<Record<string, readonly string[]>> = {
  gsm8k: ['--dataset', 'builtin'],
  ...(isExpected('bubblewrap') && { humaneval: ['--dataset', 'builtin'], 'terminal-test': [] }),
};

const ITEMS = 2;
const ATTEMPTS = 2;

/** A file of each kind from each environment. */
async function writeAll(folder: string): Promise<readonly TrainingFile[]> {
  const files: TrainingFile[] = [];
  for (const [environment, flags] of Object.entries(environments))
    for (const [kind, format] of Object.entries(kinds)) {
      const path = join(folder, `${environment}-${kind}.jsonl`);
      const size = ['--group-size', String(ATTEMPTS), '--limit', String(ITEMS), '--no-page'];
      const argv = ['process', environment, '--model', 'scripted', ...flags, ...format, ...size];
      const options = { workingDirectory: folder, models: [tokenModel(solving)] };
      const ended = await hermes([...argv, '--out', path], options);
      expect(ended.code, ended.stderr).toBe(0);
      files.push({ environment, kind: kind as Kind, path });
    }
  return files;
}

async function readInPython(
  folder: string,
  files: readonly TrainingFile[],
): Promise<Readonly<Record<string, Found>>> {
  const asked = {
    files: files.map(({ path, kind }) => ({ path, kind, schema: schemaOf(kind) })),
    templates: realTemplates(),
    cache: join(folder, 'cache'),
  };
  await writeFile(join(folder, 'asked.json'), JSON.stringify(asked));
  const script = fileURLToPath(new URL('referee/read_training_files.py', import.meta.url));
  const options = { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, HF_HUB_OFFLINE: '1' } };
  const argv = [script, join(folder, 'asked.json')];
  const { stdout } = await promisify(execFile)(pythonCommand, argv, options);
  return JSON.parse(stdout) as Readonly<Record<string, Found>>;
}

it.runIf(isExpected('datasets'))(
  'datasets and chat templates read every line of every environment, as its schema says it is',
  () =>
    inFolder(async (folder) => {
      const files = await writeAll(folder);
      const found = await readInPython(folder, files);
      for (const { environment, kind, path } of files) {
        const what = `${environment}, ${kind}`;
        const { problems, rows, texts, first } = found[path] as Found;
        const text = await readFile(path, 'utf8');
        expect(problems, what).toEqual([]);
        expect(rows, what).toBe(text.trimEnd().split('\n').length);
        expect(rows, what).toBe(kind === 'groups' ? ITEMS : ITEMS * ATTEMPTS);
        expect(kind === 'groups' ? first.scores : first.reward, what).not.toBeUndefined();
        const isChat = kind === 'messages' || kind === 'groups';
        const templates = 1 + realTemplates().length;
        expect(texts, what).toHaveLength(isChat ? ITEMS * ATTEMPTS * templates : 0);
        if (environment !== 'terminal-test' || !isChat) continue;
        expect(texts[0], what).toContain('<tool>terminal</tool>');
        expect(texts[0], what).toContain('<call>terminal {');
      }
    }),
  240_000,
);
