import type { Command } from 'commander';
import type { EvaluateFlags } from './evaluate-flags.ts';
import {
  collect,
  collectFilled,
  collectWords,
  decimalNumber,
  filled,
  jsonObject,
  orNone,
  positiveInteger,
  positiveNumber,
  wholeNumber,
} from './flag-values.ts';

/** The command `evaluate` with its flags, by theme. */
export function addEvaluate(
  program: Command,
  run: (environment: string, flags: EvaluateFlags) => Promise<void>,
): void {
  const command = program
    .command('evaluate')
    .description('run an environment and score it')
    .argument(
      '<environment>',
      'an id (see hermes environments), a package, or a path: ./file.js, ./file.js#export',
    );
  addModelFlags(command.optionsGroup('Model:'));
  addSamplingFlags(command.optionsGroup('Sampling (what is not given is left to the server):'));
  addBudgetFlags(command.optionsGroup('Budgets of one rollout:'));
  addItemFlags(command.optionsGroup('Items:'));
  addRunFlags(command.optionsGroup('Run:'));
  command.addHelpText('after', more).action(run);
}

const more = `
Any key of a configuration section is a flag too: --env.terminal_timeout 60, --openai.timeout 300
Settings of the sandbox provider itself: --env.sandbox.KEY VALUE, --env.docker_image NAME, --env.ssh_host HOST, ...
Flags win over --config, and both over variables: OPENAI_BASE_URL, OPENAI_API_KEY, TERMINAL_ENV, TERMINAL_DOCKER_IMAGE, ...
A key belongs into a variable: OPENAI_API_KEY, or the one that --api-key-env names.`;

export function addModelFlags(command: Command): void {
  command
    .option('-m, --model <model>', 'what plays: oracle, noop, openai:NAME; there is no default')
    .option(
      '--base-url <url>',
      'of an OpenAI-compatible endpoint; repeatable: one model on several servers',
      collectFilled,
    )
    .option('--api-key-env <variable>', 'the variable that holds the key (default: OPENAI_API_KEY)')
    .option('--parser <name>', 'reads tool calls out of plain text, for servers that do not')
    .option('--extra-body <json>', 'put into each request as it is', jsonObject)
    .option('--request-timeout <seconds>', 'of one request (default: 1200)', positiveNumber)
    .option('--no-stream', 'ask for each answer as a whole')
    .option('--no-health-check', 'do not ask the endpoint before the run whether it is there');
}

export function addSamplingFlags(command: Command): void {
  command
    .option('--temperature <n>', 'or none (default: 1)', orNone(decimalNumber))
    .option('--max-tokens <n>', 'of one answer, or none (default: 2048)', orNone(positiveInteger))
    .option('--top-p <n>', 'from 0 to 1', decimalNumber)
    .option('--top-k <n>', 'a whole number', decimalNumber)
    .option('--min-p <n>', 'from 0 to 1', decimalNumber)
    .option('--sampling-seed <n>', 'seed of the server', wholeNumber)
    .option('--stop <text>', 'ends an answer; repeatable', collect)
    .option('--frequency-penalty <n>', 'from -2 to 2', decimalNumber)
    .option('--presence-penalty <n>', 'from -2 to 2', decimalNumber)
    .option('--repetition-penalty <n>', '1 is none', decimalNumber);
}

export function addBudgetFlags(command: Command): void {
  command
    .option('--max-turns <n>', 'model calls (default: 30)', positiveInteger)
    .option('--max-total-tokens <n>', 'input and output of all calls', positiveInteger)
    .option('--max-output-tokens <n>', 'output of all calls', positiveInteger)
    .option('--max-cost <usd>', 'needs a price: openai.price in --config', positiveNumber)
    .option('--agent-timeout <seconds>', 'then what is there is verified', positiveNumber)
    .option('--rollout-timeout <seconds>', 'of everything; then it is errored', positiveNumber)
    .option('--max-tries <n>', 'after infrastructure failures (default: 3)', positiveInteger);
}

function addItemFlags(command: Command): void {
  command
    .option('-p, --path <folder>', 'for tasks: one task folder, or a folder of them', filled)
    .option(
      '-d, --dataset <path>',
      'for environments over a data set: a file instead of the hub',
      filled,
    )
    .option('-k, --attempts <n>', 'attempts for each item (default: 1)', positiveInteger)
    .option('-l, --limit <n>', 'only the first n items', positiveInteger)
    .option('-i, --include <glob>', 'only items whose id matches; repeatable', collect)
    .option('-x, --exclude <glob>', 'no items whose id matches; repeatable', collect)
    .option('-t, --tag <key=value>', 'only items with this tag; repeatable', collect)
    .option('--shuffle', 'items in an order that the seed decides')
    .option('--seed <n>', 'seed of everything random here (default: 0)', wholeNumber);
}

function addRunFlags(command: Command): void {
  command
    .option(
      '-s, --sandbox <provider>',
      'local, bubblewrap, host, docker, ssh, slot-pool, a package, or a path (default: local)',
    )
    .option('-n, --concurrency <n>', 'rollouts at a time (default: 4)', positiveInteger)
    .option(
      '-c, --config <file>',
      'YAML with the sections env and openai; flags win over it',
      filled,
    )
    .option(
      '-o, --run-dir <folder>',
      'where the run is kept (default: a new folder below ./runs)',
      filled,
    )
    .option('--resume', 'go on with the run in --run-dir: finished trials are kept')
    .option(
      '--retry <list>',
      'with --resume, run these again too: errored, a reason (model), a cause (model_timeout), reward<N',
      collectWords,
    )
    .option('--json', 'one event a line on stdout, the summary last');
}
