import { openDataset } from '../src/index.ts';

// run by memory.test.ts: reads a file to its end and prints the rows and the MiB that it took at most
const dataset = await openDataset({ kind: 'file', path: process.argv[2] ?? '' });
const beforeMib = process.resourceUsage().maxRSS / 1024;
let rows = 0;
for await (const _row of dataset.rows()) rows += 1;
const tookMib = process.resourceUsage().maxRSS / 1024 - beforeMib;
process.stdout.write(JSON.stringify({ rows, tookMib }));
