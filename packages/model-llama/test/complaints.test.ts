import type { Effects } from '@hermes/protocol';
import { expect, it } from 'vitest';
import { openLlamaEngine } from '../src/index.ts';
import { withChangedFile } from './_changed-file.ts';
import { automatonFile } from './_engine.ts';

const path = await automatonFile();

it('says what llama.cpp has to say to the logger, and why it refused in the error', async () => {
  const lines: string[] = [];
  const logger: Effects['logger'] = { log: (_level, message) => lines.push(message) };
  await withChangedFile(path, 'gpt-2', 'falco', async (changed) => {
    await expect(openLlamaEngine({ path: changed }, { logger })).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringContaining("unknown pre-tokenizer type: 'falco'"),
    });
  });
  expect(lines.join()).toContain('falco');
});
