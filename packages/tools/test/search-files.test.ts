import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@hermes/protocol';
import type { Sandbox, SandboxProvider } from '@hermes/sandbox';
import { createSandboxProvider } from '@hermes/sandbox-local';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fileToolset, terminalToolset } from '../src/index.ts';
import { memorySandbox, openTools, resourcesOf, type TestTools } from './support/rollout.ts';

let provider: SandboxProvider;
let programs: string;
let sandbox: Sandbox;
let tools: TestTools;
let count = 0;

/** A grep that does not say GNU, as small systems have it. */
const OTHER_GREP =
  '#!/bin/sh\n[ "$1" != --version ] || { echo other; exit; }\nexec /bin/grep "$@"\n';

beforeAll(async () => {
  programs = await mkdtemp(join(tmpdir(), 'hermes-search-'));
  await mkdir(join(programs, 'other'));
  await writeFile(join(programs, 'other/grep'), OTHER_GREP);
  await chmod(join(programs, 'other/grep'), 0o755);
  const openProvider = () => Promise.reject(new Error('there is no other provider'));
  provider = await createSandboxProvider({ isolation: 'none' }, { openProvider });
});
afterAll(async () => {
  await provider.close();
  await rm(programs, { recursive: true });
});
afterEach(async () => {
  await tools.open.close?.();
  await sandbox.dispose();
});

const SYSTEM = '/usr/bin:/bin';
const PATHS: Readonly<Record<string, () => string>> = {
  ripgrep: () => `${dirname(rgPath)}:${SYSTEM}`,
  'GNU grep': () => SYSTEM,
  'another grep': () => `${join(programs, 'other')}:${SYSTEM}`,
};

async function open(program: string): Promise<void> {
  count += 1;
  const idempotencyKey = `search-${process.pid}-${count}`;
  const env = { PATH: PATHS[program]?.() ?? SYSTEM };
  sandbox = await provider.create({ lifetimeMs: 600_000, labels: {}, idempotencyKey, env });
  tools = await openTools(resourcesOf(sandbox), [terminalToolset(), fileToolset()]);
}
const write = (path: string, text: string | Uint8Array): Promise<unknown> =>
  sandbox.files.write(path, text);
const search = async (args: JsonObject, turn = 1): Promise<JsonObject> =>
  (await tools.call('search_files', args, { turn })).document;

describe.each(Object.keys(PATHS))('with %s', (program) => {
  it('finds lines, with path and number, in the order of the paths', async () => {
    await open(program);
    await write('b/two.py', 'x\nneedle = 22\n');
    await write('a.txt', 'needle 1\nno\nneedle = 333');
    expect(await search({ pattern: 'needle = \\d+$' })).toEqual({
      total_count: 2,
      matches: [
        { path: 'a.txt', line: 3, content: 'needle = 333' },
        { path: 'b/two.py', line: 2, content: 'needle = 22' },
      ],
    });
    const only = await search({ pattern: 'needle', path: 'b', file_glob: '*.py' });
    expect(only).toMatchObject({ matches: [{ path: 'b/two.py' }] });
    const file = await search({ pattern: 'needle', path: 'a.txt', output_mode: 'count' });
    expect(file).toEqual({ total_count: 2, counts: { 'a.txt': 2 } });
  });

  it('pages through matches without a gap', async () => {
    await open(program);
    await write('f', Array.from({ length: 120 }, (_, index) => `hit ${index}`).join('\n'));
    const first = await search({ pattern: 'hit' });
    expect(first).toMatchObject({
      total_count: 120,
      truncated: true,
      _hint: expect.stringContaining('offset=50'),
    });
    const last = await search({ pattern: 'hit', offset: 100 });
    expect(last).toMatchObject({ matches: { length: 20, 0: { line: 101 } } });
    expect(last).not.toHaveProperty('truncated');
  });

  it('shows the lines around, marked', async () => {
    await open(program);
    await write('f', 'a\nb\nHIT\nc\nd\ne\nHIT\n');
    const { matches } = await search({ pattern: 'HIT', context: 1, limit: 1 });
    expect(matches).toEqual([
      { path: 'f', line: 2, content: 'b', context: true },
      { path: 'f', line: 3, content: 'HIT' },
      { path: 'f', line: 4, content: 'c', context: true },
    ]);
  });

  it('leaves out binary and hidden files, follows no link, and is not fooled by names', async () => {
    await open(program);
    const names = [
      '-e',
      '--help',
      'new\nline.txt',
      'it\'s "q".txt',
      'a:3:b',
      ' blank ',
      '$(id)',
      '*',
    ];
    for (const name of names) await write(name, 'needle\n');
    await write('binary', Buffer.from('needle\0\n'));
    await write('.hidden', 'needle\n');
    await write('.git/config', 'needle\n');
    await write('latin1', Buffer.from([0xe9, 0x20, ...Buffer.from('needle\n')]));
    await symlink('/etc', join(sandbox.info.workdir, 'outside'));
    await sandbox.exec({ command: { argv: ['mkfifo', 'pipe'] }, timeoutMs: 10_000 });
    const { files } = await search({ pattern: 'needle', output_mode: 'files_only' });
    expect(files).toEqual([...names, 'latin1'].sort());
    expect(await search({ pattern: 'needle', output_mode: 'count' })).toMatchObject({
      total_count: 9,
    });
    const hidden = await search({ pattern: 'needle', file_glob: '.*', output_mode: 'files_only' });
    expect(hidden).toMatchObject({ files: ['.hidden'] });
    expect(await search({ pattern: 'needle', path: '.git' })).toMatchObject({ total_count: 1 });
    expect(await search({ pattern: 'x', path: 'pipe' })).toMatchObject({
      error: expect.stringContaining('pipe'),
    });
  });

  it.each([
    ['\\bdef\\s+\\w+\\(', 'def  go(a):'],
    ['(?:foo|bar)+?baz', 'xx foobarbaz'],
    ['function f() {', 'function f() {'],
    ['^-x', '-x first'],
    ['[\\d.]+ (ms|s)$', 'took 1.5 ms'],
    ['grüße', 'viele grüße'],
  ])('understands %s', async (pattern, line) => {
    await open(program);
    await write('f', `nothing\n${line}\nnothing\n`);
    expect(await search({ pattern: pattern.replace('f()', 'f\\(\\)') })).toMatchObject({
      matches: [{ line: 2, content: line }],
    });
  });

  it('says what is wrong with an expression', async () => {
    await open(program);
    await write('f', 'x');
    const { result } = await tools.call('search_files', { pattern: '(unclosed' });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'BAD_PATTERN' } });
  });

  it('finds by lookaround, flags and properties, or says that it cannot', async () => {
    await open(program);
    await write('f', 'foobar\nfoobaz\n');
    for (const pattern of ['foo(?=baz)', '(?i)FOOBAZ', '\\p{L}baz']) {
      const { result, document } = await tools.call('search_files', { pattern });
      const found = { matches: [{ line: 2 }] };
      const refused = { error: expect.stringContaining('the grep of this sandbox') };
      expect(document).toMatchObject(program === 'another grep' ? refused : found);
      expect(result.status).toBe(program === 'another grep' ? 'failed' : 'completed');
    }
    expect(await search({ pattern: '[(?]|foobaz' })).toMatchObject({ matches: [{ line: 2 }] });
  });

  it('cuts long lines and a flood of matches', async () => {
    await open(program);
    await write('a', `${'y'.repeat(1_000_000)}\n`);
    await write('b', 'y\n'.repeat(400_000));
    const document = await search({ pattern: 'y', limit: 2 });
    expect(document).toMatchObject({
      truncated: true,
      matches: [{ path: 'a' }, { path: 'b', line: 1 }],
    });
    expect(JSON.stringify(document).length).toBeLessThan(1500);
  }, 30_000);
});

describe('files by name', () => {
  it('come newest first, by glob, in parts', async () => {
    await open('GNU grep');
    for (const name of ['old.py', 'deep/new.py', 'x.txt', '.env']) await write(name, 'x');
    const touch = 'touch -d @1000 old.py; touch -d @2000 deep/new.py';
    await sandbox.exec({ command: { script: touch }, timeoutMs: 10_000 });
    const all = await search({ pattern: '*.py', target: 'files' });
    expect(all).toEqual({ total_count: 2, files: ['deep/new.py', 'old.py'] });
    const part = await search({ pattern: '*.py', target: 'find', limit: 1, offset: 1 });
    expect(part).toEqual({ total_count: 2, files: ['old.py'] });
    expect(await search({ pattern: '.env', target: 'files' })).toMatchObject({ files: ['.env'] });
    expect(await search({ pattern: 'deep/**', target: 'files' })).toMatchObject({
      files: ['deep/new.py'],
    });
  });

  it('start where the shell stands', async () => {
    await open('GNU grep');
    await write('deep/er/f.py', 'x');
    await tools.call('terminal', { command: 'cd deep' });
    expect(await search({ pattern: '*.py', target: 'files' })).toMatchObject({
      files: ['er/f.py'],
    });
  });
});

it('warns of a search made three times and refuses the fourth', async () => {
  await open('GNU grep');
  await write('f', 'x');
  const answers = [];
  for (let turn = 1; turn <= 4; turn += 1) answers.push(await search({ pattern: 'x' }, turn));
  expect(answers[1]).not.toHaveProperty('_warning');
  expect(answers[2]).toHaveProperty('_warning');
  expect(answers[3]).toMatchObject({
    error: expect.stringContaining('BLOCKED'),
    already_searched: 4,
  });
});

it.each<[JsonObject, string]>([
  [{ pattern: '' }, 'INVALID_ARGUMENTS'],
  [{ pattern: 'a\0b' }, 'INVALID_ARGUMENTS'],
  [{ pattern: 'a\nb' }, 'INVALID_ARGUMENTS'],
  [{ pattern: 'x', target: 'web' }, 'INVALID_ARGUMENTS'],
  [{ pattern: 'x', path: 'nowhere' }, 'FILE_NOT_FOUND'],
])('answers %j with an error', async (args, code) => {
  await open('GNU grep');
  const { result } = await tools.call('search_files', args);
  expect(result).toMatchObject({ status: 'failed', error: { code } });
});

it('says that a sandbox without a shell cannot search', async () => {
  await open('GNU grep');
  const inMemory = await openTools(resourcesOf(await memorySandbox()), [fileToolset()]);
  const { result } = await inMemory.call('search_files', { pattern: 'x' });
  expect(result).toMatchObject({ status: 'failed', error: { code: 'UNSUPPORTED' } });
});
