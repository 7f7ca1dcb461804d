import { writeSync } from 'node:fs';
import { listenForInterrupts } from './signals.ts';

// before everything else is loaded, which takes a while: a signal in that time ends the command as cleanly
const interrupts = listenForInterrupts(writeToStderr);
try {
  const { runCli } = await import('./run-cli.ts');
  process.exitCode = await runCli(process.argv.slice(2), { signal: interrupts.signal });
} finally {
  interrupts.dispose();
  // what did not come to its end was told, and shall not hold the process; what does gets the time for it
  setTimeout(() => process.exit(), 5_000).unref();
}

function writeToStderr(text: string): void {
  try {
    writeSync(process.stderr.fd, text);
  } catch {
    // nobody reads it: the signal counts all the same
  }
}
