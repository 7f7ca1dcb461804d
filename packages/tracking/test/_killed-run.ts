import { createWandbTarget } from '../src/index.ts';

// Tracks offline, says when all was taken, and never ends: `_killed-run.ts FOLDER PYTHON`
const [folder = '', python = ''] = process.argv.slice(2);
const run = { mode: 'offline', project: 'p', name: 'n' } as const;
const target = createWandbTarget({ ...run, folder, python, variables: process.env });
const { signal } = new AbortController();
for (const value of [0.5, 0.75, 1]) {
  const entry = {
    kind: 'scalars',
    step: value * 4,
    wallMs: Date.now(),
    values: { value },
  } as const;
  await target.write([entry], signal);
}
process.stdout.write('taken\n');
