import { openDataset } from '../src/index.ts';

// run by hub-processes.test.ts: opens a split of the hub and prints its rows as JSON
const [endpoint = '', cacheDir = ''] = process.argv.slice(2);
const dataset = await openDataset({ kind: 'hub', id: 'org/name' }, { endpoint, cacheDir });
const rows = [];
for await (const row of dataset.rows()) rows.push(row);
process.stdout.write(JSON.stringify(rows));
