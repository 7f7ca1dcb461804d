import { fileURLToPath } from 'node:url';
import { checkArrows } from './index.js';
import { arrows } from './table.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const findings = await checkArrows(root, arrows);
for (const finding of findings) process.stderr.write(`${finding.place}: ${finding.message}\n`);
process.stdout.write(
  findings.length === 0
    ? 'arrows: all imports follow the table\n'
    : `arrows: ${findings.length} findings\n`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
