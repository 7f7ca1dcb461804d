import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildAutomaton } from './build-automaton.ts';
import type { AutomatonScript } from './script.ts';

/** Writes a model folder; `gguf` is the file for llama.cpp in it. */
export async function writeAutomaton(
  directory: string,
  script?: AutomatonScript,
): Promise<{ readonly gguf: string }> {
  await mkdir(directory, { recursive: true });
  for (const [name, content] of buildAutomaton(script))
    await writeFile(join(directory, name), content);
  return { gguf: join(directory, 'automaton.gguf') };
}
