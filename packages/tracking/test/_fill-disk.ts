import { createJsonlTarget, createTensorBoardTarget } from '../src/index.ts';

// Writes to a target until the disk is full, and a little longer: `_fill-disk.ts jsonl PATH` or `tensorboard FOLDER`.
const [kind, place = ''] = process.argv.slice(2);
const target = kind === 'jsonl' ? createJsonlTarget(place) : createTensorBoardTarget(place);
const { signal } = new AbortController();
const failures: string[] = [];
let written = 0;
while (failures.length < 3) {
  const values = { value: written, another_with_a_long_name: written };
  const entry = { kind: 'scalars', step: written, wallMs: 0, values } as const;
  await target.write([entry], signal).then(
    () => {
      written += 1;
    },
    (error) => failures.push(error.code),
  );
}
await target.close(signal);
process.stdout.write(JSON.stringify({ written, failures }));
