// The vectors outside of Node. HERMES_TEST_SERVICES names the runtimes that must be there.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const packageFolder = new URL('../../', import.meta.url);
const main = fileURLToPath(new URL('portable/main.mjs', import.meta.url));
const expected = (process.env.HERMES_TEST_SERVICES ?? '').split(',');
const timeoutMs = 120_000;

for (const [runtime, args] of Object.entries({ bun: [main], deno: ['run', '--allow-read', main] })) {
  if (!expected.includes(runtime)) continue;
  test(`every vector is right in ${runtime}`, async () => {
    const { stdout } = await promisify(execFile)(runtime, args, { timeout: timeoutMs });
    assert.match(stdout, /^(\d{3,}) of \1 vectors/);
  });
}

if (expected.includes('chromium')) {
  test('every vector is right in a page of Chromium', { timeout: timeoutMs }, async () => {
    const profile = await mkdtemp(join(tmpdir(), 'parsers-chromium-'));
    const server = await serve();
    const url = `http://127.0.0.1:${server.address().port}/test/dist/portable/page.html`;
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`];
    const browser = spawn('chromium', [...flags, url], { stdio: 'ignore', detached: true });
    const ended = once(browser, 'exit');
    try {
      const [report] = await Promise.race([once(server, 'report'), ended.then(fail)]);
      assert.equal(report.error, undefined);
      assert.ok(report.files > 30);
      assert.deepEqual(report.failures, []);
    } finally {
      // The browser is a group of processes of its own.
      if (browser.pid !== undefined && browser.exitCode === null) process.kill(-browser.pid, 'SIGKILL');
      await ended;
      server.closeAllConnections();
      server.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}

function fail([code]) {
  throw new Error(`the browser ended with ${code} before it reported`);
}

/** Serves the package, the vectors as one list, and takes the report of the page as an event. */
async function serve() {
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.end();
      server.emit('report', JSON.parse(body));
      return;
    }
    try {
      const [type, body] = await bodyOf(request.url);
      response.writeHead(200, { 'content-type': type }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function bodyOf(path) {
  if (path === '/vectors') {
    const folder = new URL('test/fixtures/vectors/', packageFolder);
    const names = await readdir(folder);
    const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
    return ['application/json', `[${texts.join(',')}]`];
  }
  const type = path.endsWith('.html') ? 'text/html' : 'text/javascript';
  return [type, await readFile(new URL(`.${path}`, packageFolder))];
}
