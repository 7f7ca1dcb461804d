import type { MemoryAnswer, MemoryCall, SandboxProvider } from '@hermes/sandbox';
import { createMemorySandboxProvider } from '@hermes/sandbox';
import { fileToolset, terminalToolset } from '@hermes/tools';
import { z } from 'zod';
import type { EnvironmentDefinition } from '../../src/index.ts';

/** Write the number of lines of log.txt into count.txt. */
export const lineCount: EnvironmentDefinition<{ tasks: number }, { lines: number }> = {
  id: 'line-count',
  version: '1.0.0',
  description: 'Counts lines with a shell.',
  config: z.strictObject({ tasks: z.int().positive().default(3) }),
  open: async (config) => ({
    datasetRevision: 'generated-1',
    toolsets: [terminalToolset(), fileToolset()],
    async *items({ start }) {
      for (let index = start; index < config.tasks; index += 1)
        yield { id: `lines-${index}`, data: { lines: index * 7 } };
    },
    prompt: () => [{ role: 'user', content: 'Write the number of lines of log.txt to count.txt.' }],
    sandbox: () => ({ commands: ['wc'] }),
    async setupWorkspace(item, tools) {
      const written = await tools.write('log.txt', 'line\n'.repeat(item.data.lines));
      if (!written.ok) throw new Error(`log.txt: ${written.code}`);
    },
    async computeReward(item, _result, tools) {
      const answer = await tools.readText('count.txt');
      return answer.ok && answer.value.trim() === String(item.data.lines) ? 1 : 0;
    },
    solution: async () => ({
      turns: [
        {
          content: '',
          calls: [{ name: 'terminal', arguments: { command: 'wc -l < log.txt > count.txt' } }],
        },
        { content: 'Done.', calls: [] },
      ],
    }),
  }),
};

/** A sandbox in memory in which `wc` counts the lines of log.txt into count.txt. */
export function countingSandboxes(): SandboxProvider {
  return createMemorySandboxProvider({ commands: { wc: countLines } });
}

function countLines({ files, cwd }: MemoryCall): MemoryAnswer {
  const lines = new TextDecoder().decode(files.get(`${cwd}/log.txt`)).split('\n').length - 1;
  files.set(`${cwd}/count.txt`, new TextEncoder().encode(`${lines}\n`));
  return { exitCode: 0 };
}
