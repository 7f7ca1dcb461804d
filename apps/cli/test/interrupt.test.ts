import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../src/index.ts';
import { inFolder } from './_run.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const evaluate = ['evaluate', 'smoke', '--model', 'noop', '--sandbox', 'host', '--limit', '2'];

const processing = ['process', 'smoke', '--model', 'noop', '--sandbox', 'host', '--limit', '2'];
const serve = ['serve', 'smoke', '--model', 'noop', '--sandbox', 'host'];

/** Runs the command with the signal sent to it once, as soon as it imports a module of that name. */
function signalled(signal: string, specifier: string, argv: readonly string[], cwd: string) {
  const hook = `let isSent = false;
  export async function resolve(specifier, context, next) {
    if (specifier === ${JSON.stringify(specifier)} && !isSent) {
      isSent = true;
      process.kill(process.pid, '${signal}');
    }
    return next(specifier, context);
  }`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(asUrl(hook))});`;
  const loaders = ['--import', import.meta.resolve('tsx'), '--import', asUrl(register)];
  const flags = ['--conditions=@hermes/source', ...loaders, main, ...argv];
  const child = spawn(process.execPath, flags, { cwd });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, output })),
  );
}

function asUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

describe('a signal while the command still loads ends it cleanly', () => {
  it.each([
    ['SIGTERM', 'commander', evaluate],
    ['SIGINT', 'commander', evaluate],
    ['SIGTERM', 'commander', ['environments']],
    ['SIGTERM', '@hermes/env-core', evaluate],
    ['SIGTERM', '@hermes/task-folders', evaluate],
    ['SIGTERM', '../commands/process.ts', processing],
    ['SIGTERM', '@hermes/atropos', serve],
  ])('%s at the import of %s, %j', (signal, specifier, argv) =>
    inFolder(async (folder) => {
      const ended = await signalled(signal, specifier, argv, folder);
      expect(ended.output).toBe(
        `\n${signal}: ending the run cleanly; once more to stop at once\ninterrupted\n`,
      );
      expect(ended.code).toBe(exitCodes.interrupted);
      expect(await readdir(folder)).toEqual([]);
    }),
  );
});
