import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTokenizer, tokenizerSettings } from '../src/index.ts';
import { byteTokenizer, temporaryFolder } from './_referee.ts';

const TOKENIZER = JSON.stringify(byteTokenizer(['<s>', '<e>']));
const TALK = { messages: [{ role: 'user' as const, content: 'hi' }], generationPrompt: false };

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

describe('loadTokenizer', () => {
  it('reads a folder: the template file wins, and all ends of a turn are known', async () => {
    const dir = folderWith({
      'tokenizer.json': TOKENIZER,
      'tokenizer_config.json': '{"bos_token":"<s>","chat_template":"of the configuration"}',
      'chat_template.jinja': '{% for m in messages %}{{ m.content }}<e>{% endfor %}',
      'generation_config.json': '{"eos_token_id":[7,257]}',
    });
    const tokenizer = await loadTokenizer({ dir });
    expect(tokenizer.bosId).toBe(256);
    expect(tokenizer.turnEndIds).toEqual([257, 7]);
    expect(tokenizer.render(TALK).text).toBe('hi<e>');
  });

  it('reads a tokenizer.json, and what lies beside it', async () => {
    const dir = folderWith({
      'mine.json': TOKENIZER,
      'chat_template.json': '{"chat_template":"beside"}',
    });
    const tokenizer = await loadTokenizer({ file: join(dir, 'mine.json') });
    expect(tokenizer.render(TALK).text).toBe('beside');
  });

  it('reads a model in the cache of the hub, by branch and by commit', async () => {
    const root = 'models--owner--name';
    const cacheDir = folderWith({
      [`${root}/refs/main`]: 'abc123',
      [`${root}/blobs/one`]: TOKENIZER,
      [`${root}/snapshots/abc123/tokenizer_config.json`]: '{}',
    });
    symlinkSync('../../blobs/one', join(cacheDir, root, 'snapshots/abc123/tokenizer.json'));
    const byBranch = await loadTokenizer({ hub: 'owner/name' }, { cacheDir });
    const byCommit = await loadTokenizer({ hub: 'owner/name', revision: 'abc123' }, { cacheDir });
    expect(byBranch.vocabularySize).toBe(258);
    expect(byCommit.id).toBe(byBranch.id);
  });

  it('gives the same id to the same files, and another one to another template', async () => {
    const one = await loadTokenizer({ tokenizerJson: TOKENIZER });
    const same = await loadTokenizer({ dir: folderWith({ 'tokenizer.json': TOKENIZER }) });
    const other = await loadTokenizer({ tokenizerJson: TOKENIZER, chatTemplate: 'x' });
    expect(same.id).toBe(one.id);
    expect(other.id).not.toBe(one.id);
  });

  it.each([
    ['a folder without a tokenizer.json', { dir: '/nowhere' }, 'NOT_FOUND'],
    ['a model that is not in the cache', { hub: 'owner/name' }, 'NOT_FOUND'],
    ['a name that leads out of the cache', { hub: '../../etc' }, 'SOURCE'],
    ['a revision that leads out of the cache', { hub: 'a/b', revision: '../x' }, 'SOURCE'],
  ])('says what is wrong with %s', async (_, source, code) => {
    const loading = loadTokenizer(source, { cacheDir: temporaryFolder() });
    await expect(loading).rejects.toMatchObject({ code });
  });

  it('ends when the signal fires', async () => {
    const dir = folderWith({ 'tokenizer.json': TOKENIZER });
    const loading = loadTokenizer({ dir }, { signal: AbortSignal.abort() });
    await expect(loading).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('tokenizerSettings', () => {
  it('finds the cache as Python does', () => {
    expect(tokenizerSettings({ HF_HUB_CACHE: '/a', HF_HOME: '/b' }).cacheDir).toBe('/a');
    expect(tokenizerSettings({ HF_HOME: '/b' }).cacheDir).toBe('/b/hub');
    expect(tokenizerSettings({ XDG_CACHE_HOME: '/c' }).cacheDir).toBe('/c/huggingface/hub');
  });
});
