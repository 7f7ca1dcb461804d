import { fileToolset, terminalToolset } from '@hermes/tools';

const SOLUTION = 'wc -l < log.txt > count.txt';

/** Write the number of lines of log.txt into count.txt. */
export const lineCount = {
  id: 'line-count',
  version: '1.0.0',
  description: 'Counts lines with a shell.',
  config: { '~standard': { version: 1, vendor: 'example', validate } },
  open: async (config) => ({
    datasetRevision: 'generated-1',
    toolsets: [terminalToolset(), fileToolset()],
    async *items({ start }) {
      for (let index = start; index < config.tasks; index += 1)
        yield { id: `lines-${index}`, data: { lines: index * 7 } };
    },
    prompt: () => [{ role: 'user', content: 'Write the line count of log.txt to count.txt.' }],
    sandbox: () => ({ commands: ['wc'] }),
    async setupWorkspace(item, tools) {
      const written = await tools.write('log.txt', 'line\n'.repeat(item.data.lines));
      if (!written.ok) throw new Error(`log.txt: ${written.code}`);
    },
    async computeReward(item, _result, tools) {
      const answer = await tools.readText('count.txt'); // a missing file is an honest 0, not an error
      return answer.ok && answer.value.trim() === String(item.data.lines) ? 1 : 0;
    },
    solution: async () => ({
      turns: [
        { content: '', calls: [{ name: 'terminal', arguments: { command: SOLUTION } }] },
        { content: 'Done.', calls: [] },
      ],
    }),
  }),
};

function validate({ tasks = 3, ...others } = {}) {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return { issues: [{ message: 'unknown key', path: [unknown] }] };
  if (Number.isInteger(tasks) && tasks > 0) return { value: { tasks } };
  return { issues: [{ message: 'a whole number above 0', path: ['tasks'] }] };
}
