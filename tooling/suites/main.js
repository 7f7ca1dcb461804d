/**
 * `pnpm test [SUITE ...]`: runs the suites one after another and prints, last, the sum over all of them.
 *
 * HERMES_TEST_SERVICES names what must be there (a list of what services.js knows; what is named and missing fails). Unset: what this machine has.
 */

import { failures } from './run.js';
import { chooseServices } from './services.js';
import { suites } from './suites.js';

/** Of each failure in the summary; all of it is further up. */
const MOST_CHARACTERS = 3000;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => suites.every((suite) => suite.name !== name));
if (unknown.length > 0) {
  process.stderr.write(
    `unknown suite: ${unknown.join(', ')}. There is: ${suites.map((suite) => suite.name).join(', ')}\n`,
  );
  process.exit(2);
}

const services = chooseServices(process.env.HERMES_TEST_SERVICES);
process.env.HERMES_TEST_SERVICES = services.expected.join(',');
const results = [];
const chosen = new Set(suites.filter(({ name }) => wanted.length === 0 || wanted.includes(name)));
for (const suite of suites) {
  const isNeeded = [...chosen].some((other) => other.after === suite.name);
  if (!chosen.has(suite) && !isNeeded) continue;
  const lacking = (suite.needs ?? []).filter((service) => !services.expected.includes(service));
  if (lacking.length > 0) continue;
  process.stdout.write(`\n== ${suite.name}: ${suite.description}\n`);
  const startedMs = Date.now();
  const counts = await suite.run();
  results.push({
    name: suite.name,
    seconds: Math.round((Date.now() - startedMs) / 1000),
    ...counts,
  });
}

const sum = (key) => results.reduce((total, result) => total + result[key], 0);
process.stdout.write('\n');
for (const failure of failures)
  process.stdout.write(`FAILED ${failure.slice(0, MOST_CHARACTERS)}\n\n`);
for (const { name, passed, failed, seconds } of results) {
  process.stdout.write(
    `${failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${passed} passed, ${failed} failed (${seconds} s)\n`,
  );
}
for (const { name, reason } of services.notCovered)
  process.stdout.write(`not covered on this machine: ${name} (${reason})\n`);
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);
process.exitCode = sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
