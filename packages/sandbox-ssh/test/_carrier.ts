// Carries a large tree to a sandbox and back, and says how many bytes it held in buffers at most.
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { createSandboxProvider } from '../src/index.ts';
import { serverSettings } from './_server.ts';

const [folder = '', files = '', fileBytes = ''] = process.argv.slice(2);
const SAMPLE_MS = 400;

await mkdir(`${folder}/in`);
await mkdir(`${folder}/out`);
for (let index = 0; index < Number(files); index += 1) {
  await writeFile(`${folder}/in/${index}`, '');
  await truncate(`${folder}/in/${index}`, Number(fileBytes));
}

const provider = await createSandboxProvider(serverSettings(), {
  openProvider: () => Promise.reject(new Error('no other provider is opened')),
});
const spec = { lifetimeMs: 600_000, labels: {}, idempotencyKey: `carrier-${process.pid}` };
const sandbox = await provider.create(spec);
let mostBytes = 0;
const sampling = setInterval(() => {
  globalThis.gc?.(); // what nobody holds any more does not count
  mostBytes = Math.max(mostBytes, process.memoryUsage().arrayBuffers);
}, SAMPLE_MS);
const up = await sandbox.files.uploadTree(`${folder}/in`, 'tree');
const down = await sandbox.files.downloadTree('tree', `${folder}/out`);
clearInterval(sampling);
await sandbox.dispose();
await provider.close();
process.stdout.write(JSON.stringify({ ok: up.ok && down.ok, mostBytes }));
