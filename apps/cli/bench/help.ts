/** `hermes --help` from the built command, cold, against bare Node. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { interleave, report } from '@hermes/bench';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

const timings = await interleave(
  [
    { name: 'node -e 0', run: () => run(process.execPath, ['-e', '0']) },
    { name: 'hermes --help', run: () => run(process.execPath, [main, '--help']) },
  ],
  30,
);
const floor = timings['node -e 0'];
const help = timings['hermes --help'];
if (floor === undefined || help === undefined) throw new Error('a variant was not measured');
await report(
  import.meta.url,
  [
    {
      name: 'hermes --help / node -e 0 (median)',
      value: help.medianMs / floor.medianMs,
      bound: 2.5,
    },
  ],
  { timings },
);
