import type { Tool, ToolResult } from '@hermes/protocol';
import type { Sandbox } from '@hermes/sandbox';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ToolLimits } from '../src/index.ts';
import { createResultBudget, createToolResources } from '../src/index.ts';
import { callContext, memorySandbox, resourcesOf } from './support/rollout.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await memorySandbox();
});

const budget = (limits?: ToolLimits): ReturnType<typeof createResultBudget> =>
  createResultBudget(resourcesOf(sandbox), limits);
const withoutSandbox = (): ReturnType<typeof createResultBudget> => {
  const failing = () => Promise.reject(new Error('no sandbox here'));
  return createResultBudget(createToolResources({ userTask: null, sandbox: failing }));
};
const resultOf = (content: string): ToolResult => ({ status: 'completed', content });
const toolNamed = (name: string, maxResultChars?: number): Tool => ({
  schema: { type: 'function', function: { name } },
  parallel: true,
  ...(maxResultChars === undefined ? {} : { maxResultChars }),
  execute: () => Promise.reject(new Error('not called')),
});
const savedText = async (path: string): Promise<string> => {
  const read = await sandbox.files.read(path);
  if (!read.ok) throw new Error(`${read.code} ${path}`);
  return new TextDecoder().decode(read.value);
};
const signal = new AbortController().signal;

describe('one result', () => {
  it('stays as it is at the limit and is saved one code point beyond', async () => {
    const atLimit = resultOf('\u{1f600}'.repeat(100_000));
    const beyond = resultOf('\u{1f600}'.repeat(100_001));
    expect(await budget().limitResult(atLimit, null, callContext())).toBe(atLimit);
    const moved = await budget().limitResult(beyond, null, callContext());
    expect(moved.content).toContain('100,001 characters (390.6 KB)');
    expect(await savedText('/tmp/hermes-results/turn1__call0.txt')).toBe(beyond.content);
  });

  it('leaves size, place, advice and a preview that ends with a whole line', async () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join('\n');
    const moved = await budget().limitResult(resultOf(text), null, callContext());
    const block = String(moved.content);
    expect(block.startsWith('<persisted-output>\n')).toBe(true);
    expect(block.endsWith('\n...\n</persisted-output>')).toBe(true);
    expect(block).toContain('/tmp/hermes-results/turn1__call0.txt');
    expect(block).toContain('read_file');
    const preview = block.split('characters):\n')[1]?.split('\n...\n')[0] ?? '';
    expect(text.startsWith(preview)).toBe(true);
    expect(preview.length).toBeGreaterThan(750);
    expect(preview.length).toBeLessThanOrEqual(1500);
    expect(text[preview.trimEnd().length]).toBe('\n');
  });

  it.each([
    ['the limits of the run', toolNamed('terminal', 100), { perTool: { terminal: 300 } }, false],
    ["the tool's own", toolNamed('terminal', 100), undefined, true],
    ['the default', toolNamed('terminal'), { resultChars: 100 }, true],
    ['none for read_file', toolNamed('read_file', 10), { perTool: { read_file: 10 } }, false],
  ])('takes the limit from %s', async (_which, tool, limits, isMoved) => {
    const moved = await budget(limits).limitResult(resultOf('x'.repeat(200)), tool, callContext());
    expect(String(moved.content).includes('<persisted-output>')).toBe(isMoved);
  });

  it('keeps two files when a model repeats its call id', async () => {
    const limited = budget({ resultChars: 10 });
    const first = callContext({ callKey: '1-0', toolCallId: 'functions.x:0' });
    const second = callContext({ callKey: '2-0', toolCallId: 'functions.x:0' });
    await limited.limitResult(resultOf('first '.repeat(9)), null, first);
    await limited.limitResult(resultOf('second '.repeat(9)), null, second);
    expect(await savedText('/tmp/hermes-results/1-0.txt')).toContain('first');
    expect(await savedText('/tmp/hermes-results/2-0.txt')).toContain('second');
  });

  it('cannot be led out of its folder by a key', async () => {
    const context = callContext({ callKey: '../../etc/passwd' });
    const moved = await budget({ resultChars: 10 }).limitResult(
      resultOf('x'.repeat(99)),
      null,
      context,
    );
    expect(moved.content).toContain('/tmp/hermes-results/.._2f_.._2f_etc_2f_passwd.txt');
  });

  it('keeps status, error and images', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:,' } } as const;
    const error = { boundary: 'tool', code: 'X', message: 'x', retryable: false } as const;
    const content = [image, { type: 'text', text: 'x'.repeat(99) }] as const;
    const failed: ToolResult = { status: 'failed', content, error };
    const moved = await budget({ resultChars: 10 }).limitResult(failed, null, callContext());
    expect(moved).toMatchObject({ status: 'failed', error, content: [{ type: 'text' }, image] });
  });

  it('shows head and tail when it cannot be saved', async () => {
    const text = `first line\n${'middle\n'.repeat(30_000)}last line`;
    const moved = await withoutSandbox().limitResult(resultOf(text), null, callContext());
    expect(moved.content).toMatch(/^first line\n/);
    expect(moved.content).toMatch(/last line$/);
    expect(moved.content).toContain('210,020 characters and could not be saved');
    expect([...String(moved.content)].length).toBeLessThan(3_300);
  });

  it('does not wait for a save beyond its time or after the rollout was stopped', async () => {
    const hanging = createToolResources({
      userTask: null,
      sandbox: () => new Promise(() => undefined),
    });
    const long = resultOf('x'.repeat(200_000));
    const late = createResultBudget(hanging, { saveTimeoutMs: 1 });
    expect((await late.limitResult(long, null, callContext())).content).toContain(
      'could not be saved',
    );
    const stopped = callContext({ signal: AbortSignal.abort() });
    const moved = await createResultBudget(hanging).limitResult(long, null, stopped);
    expect(moved.content).toContain('could not be saved');
  });
});

describe('one turn', () => {
  const entry = (callKey: string, length: number) => ({
    callKey,
    result: resultOf('x'.repeat(length)),
  });

  it('leaves a turn of 200,000 characters alone', async () => {
    const results = [entry('a', 100_000), entry('b', 100_000)];
    const limited = await budget().limitTurn(results, signal);
    expect(limited).toEqual(results.map(({ result }) => result));
  });

  it('saves the longest first until the turn fits, and keeps order and length', async () => {
    const results = [entry('a', 60_000), entry('b', 90_000), entry('c', 80_000), entry('d', 10)];
    const limited = await budget().limitTurn(results, signal);
    expect(limited.map(({ content }) => String(content).includes('<persisted-output>'))).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect(limited[0]).toBe(results[0]?.result);
  });

  it('does not save again what was saved before', async () => {
    const limits = { resultChars: 50, turnChars: 10, previewChars: 100 };
    const both = budget(limits);
    const saved = await both.limitResult(
      resultOf('x'.repeat(900)),
      null,
      callContext({ callKey: 'a' }),
    );
    const limited = await both.limitTurn(
      [{ callKey: 'a', result: saved }, entry('b', 900)],
      signal,
    );
    expect(limited[0]).toBe(saved);
    expect(String(limited[1]?.content)).toContain('b.txt');
  });
});
