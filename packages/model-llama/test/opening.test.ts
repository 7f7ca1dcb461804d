import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildAutomaton, callText, defaultScript } from '@hermes/automaton';
import { createTokenizer, loadTokenizer } from '@hermes/tokenizer';
import { describe, expect, it } from 'vitest';
import { openLlamaEngine } from '../src/index.ts';
import { withChangedFile } from './_changed-file.ts';
import { answer, automatonFile, openAutomaton, question, questionWithTools } from './_engine.ts';

const path = await automatonFile();

describe('the tokenizer of the file', () => {
  it('is that of the folder: same ids, same rendering, same ends of a turn', async () => {
    const { tokenizer } = await openAutomaton();
    const original = await loadTokenizer({ dir: dirname(path) });
    const text = 'Grüße, 世界! 😀 <tool_call> What is\n\n the weather in 2024?';
    expect(tokenizer.encode(text)).toEqual(original.encode(text));
    expect(tokenizer.turnEndIds[0]).toBe(original.turnEndIds[0]);
    expect(tokenizer.specialTokens).toEqual(original.specialTokens);
    expect(questionWithTools(tokenizer)).toEqual(questionWithTools(original));
  });

  it('is refused by name where its way to cut words is not known; that of the folder can be given', async () => {
    await withChangedFile(path, 'gpt-2', 'phi-2', async (changed) => {
      await expect(openLlamaEngine({ path: changed })).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringContaining('phi-2'),
      });
      const tokenizer = await loadTokenizer({ dir: dirname(path) });
      const { engine } = await openLlamaEngine({ path: changed, tokenizer, contextTokens: 256 });
      await engine.close?.();
    });
  });
});

describe('a tokenizer that is given', () => {
  it('is used where it is the one of the model', async () => {
    const tokenizer = await loadTokenizer({ dir: dirname(path) });
    const opened = await openAutomaton({ tokenizer });
    expect(opened.tokenizer).toBe(tokenizer);
    const { ids } = await answer(opened.engine, question(tokenizer), { seed: 1, maxTokens: 2 });
    expect(ids.length).toBeGreaterThan(0);
  });

  it('is refused where it gives other ids, with the text that shows it', async () => {
    const files = buildAutomaton();
    const json = Buffer.from(files.get('tokenizer.json') ?? []).toString('utf8');
    const other = createTokenizer({ tokenizerJson: json.replaceAll('<|im_end|>', '<|im_stop|>') });
    await expect(openLlamaEngine({ path, tokenizer: other })).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringContaining('<|im_stop|>'),
    });
  });

  it('is refused where only its added tokens differ', async () => {
    const files = buildAutomaton({ ...defaultScript, answers: defaultScript.answers.slice(1) });
    const json = Buffer.from(files.get('tokenizer.json') ?? []).toString('utf8');
    const other = createTokenizer({ tokenizerJson: json });
    await expect(openLlamaEngine({ path, tokenizer: other })).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringContaining('boxed{4'),
    });
  });

  it('is refused where it has more tokens than the model', async () => {
    const answers = Array.from({ length: 40 }, (_, index) => ({
      text: `No. ${index}!`,
      weight: 1,
    }));
    const files = buildAutomaton({
      calls: [{ text: callText('terminal', {}), weight: 1 }],
      answers,
    });
    const json = Buffer.from(files.get('tokenizer.json') ?? []).toString('utf8');
    const larger = createTokenizer({ tokenizerJson: json });
    await expect(openLlamaEngine({ path, tokenizer: larger })).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringContaining('belongs to another model'),
    });
  });
});

describe('what cannot be opened', () => {
  it('a file that is not there', async () => {
    await expect(openLlamaEngine({ path: '/nowhere/model.gguf' })).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringContaining('/nowhere/model.gguf'),
    });
  });

  it('a file that is no model', async () => {
    const file = join(dirname(path), 'config.json');
    await expect(openLlamaEngine({ path: file })).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringContaining('GGUF'),
    });
  });

  it('a file that is cut off', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hermes-gguf-'));
    const cut = join(folder, 'cut.gguf');
    await writeFile(cut, (await readFile(path)).subarray(0, 2_000_000));
    await expect(openLlamaEngine({ path: cut })).rejects.toMatchObject({ code: 'CONFIG' });
    await rm(folder, { recursive: true });
  });

  it.each([{ contextTokens: 0 }, { sequences: 1.5 }, { threads: -1 }])('with %o', async (wrong) => {
    await expect(openLlamaEngine({ path, ...wrong })).rejects.toMatchObject({ code: 'CONFIG' });
  });

  it('a model whose opening was cancelled', async () => {
    const signal = AbortSignal.abort();
    await expect(openLlamaEngine({ path, signal })).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

it('names the model after its file, and tells what it can', async () => {
  const { engine } = await openAutomaton({ contextTokens: 300 });
  expect(engine.modelId).toBe('automaton');
  expect(engine.capabilities).toEqual({
    streaming: true,
    abort: 'engine',
    score: true,
    vocabularySize: 384,
    contextTokens: 300,
  });
});

it('has a context of 8192 where none is given and the model was trained on more', async () => {
  const { engine } = await openLlamaEngine({ path, threads: 1 });
  expect(engine.capabilities.contextTokens).toBe(8192);
  await engine.close?.();
});

it('is the default script that the file plays', async () => {
  const { engine, tokenizer } = await openAutomaton({ script: defaultScript });
  const { ids } = await answer(engine, questionWithTools(tokenizer), { temperature: 0 });
  expect(tokenizer.decode(ids)).toContain(defaultScript.calls[0]?.text);
});
