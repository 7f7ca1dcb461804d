import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** What failed, in the order in which it did: the summary repeats it, because the end of a log is what people see first. */
export const failures = [];

/** Runs a command with its output passed through. A step that ends with 0 counts as one passed. */
export async function runStep(directory, [command, ...args]) {
  process.stdout.write(`-- ${[command, ...args].join(' ')}\n`);
  const code = await exitCodeOf(
    spawn(command, args, { cwd: directory, stdio: ['ignore', 'inherit', 'inherit'] }),
  );
  if (code !== 0) failures.push(`ended with ${code}: ${[command, ...args].join(' ')}`);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Runs steps in order, all of them, also after a failed one. */
export async function runSteps(directory, steps) {
  const total = { passed: 0, failed: 0 };
  for (const step of steps) {
    const { passed, failed } = await runStep(directory, step);
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}

/** Runs steps that do not depend on each other, one a core. The output of each is shown whole when it has ended. */
export async function runStepsAtOnce(directory, steps) {
  const total = { passed: 0, failed: 0 };
  const waiting = [...steps];
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift())
      total[(await runQuietly(directory, step)) ? 'passed' : 'failed'] += 1;
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return total;
}

async function runQuietly(directory, [command, ...args]) {
  const line = [command, ...args].join(' ');
  const child = spawn(command, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => output.push(chunk));
  const code = await exitCodeOf(child);
  process.stdout.write(`-- ${line}\n`);
  process.stdout.write(Buffer.concat(output));
  if (code !== 0) failures.push(`ended with ${code}: ${line}`);
  return code === 0;
}

/** Counts by vitest's own JSON report. A run that ends badly without a failed test (a file that does not load, say) counts as one failed. */
export async function countVitest(directory) {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-suites-'));
  const file = join(folder, 'report.json');
  try {
    const step = [
      'pnpm',
      'exec',
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ];
    const ended = await runStep(directory, step);
    const report = JSON.parse(
      await readFile(file, 'utf8').catch(() => '{"numPassedTests":0,"numFailedTests":0}'),
    );
    for (const { name, message, assertionResults } of report.testResults ?? []) {
      if (message) failures.push(`${relative(directory, name)}: ${message}`);
      for (const { status, fullName, failureMessages } of assertionResults)
        if (status === 'failed')
          failures.push(
            `${relative(directory, name)} > ${fullName}\n${failureMessages.join('\n')}`,
          );
    }
    return { passed: report.numPassedTests, failed: Math.max(report.numFailedTests, ended.failed) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Counts Go's tests and subtests by `go test -json`; the output of failed ones is shown. In CI, under its load, a failed run gets one more try. */
export async function countGoTests(directory) {
  const first = await runGoTests(directory);
  if (first.failed === 0 || process.env.CI === undefined) return first;
  process.stdout.write(`-- ${first.failed} Go tests failed: once more\n`);
  return runGoTests(directory);
}

async function runGoTests(directory) {
  const args = ['test', '-json', '-count=1', './...'];
  const child = spawn('go', args, { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
  const counts = { passed: 0, failed: 0 };
  let rest = '';
  for await (const chunk of child.stdout) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) countGoEvent(line, counts);
  }
  const code = await exitCodeOf(child);
  return { passed: counts.passed, failed: Math.max(counts.failed, code === 0 ? 0 : 1) };
}

function countGoEvent(line, counts) {
  if (!line.startsWith('{')) {
    process.stdout.write(`${line}\n`);
    return;
  }
  const event = JSON.parse(line);
  if (event.Action === 'output' && /FAIL|panic|_test\.go/.test(event.Output))
    process.stdout.write(event.Output);
  if (event.Test === undefined) return;
  if (event.Action === 'pass') counts.passed += 1;
  if (event.Action === 'fail') {
    counts.failed += 1;
    failures.push(`supervisor: ${event.Test}`);
  }
}

/** Counts by the closing lines of Node's own test runner. */
export async function countNodeTests(directory, files) {
  const child = spawn(process.execPath, ['--test', '--test-reporter=tap', ...files], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    process.stdout.write(chunk);
  }
  const code = await exitCodeOf(child);
  const passed = Number(/^# pass (\d+)/m.exec(text)?.[1] ?? 0);
  const failed = Number(/^# fail (\d+)/m.exec(text)?.[1] ?? 0);
  return { passed, failed: Math.max(failed, code === 0 ? 0 : 1) };
}

function exitCodeOf(child) {
  if (child.exitCode !== null) return child.exitCode;
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
}
