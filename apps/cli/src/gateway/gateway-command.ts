import type { Command } from 'commander';
import { addFlags, type FlagGroup } from '../config/flag-spec.ts';
import { modelFlags } from '../config/model-flags.ts';
import type { RunFlags } from '../config/run-flags.ts';
import { filled, positiveInteger, positiveNumber, wholeNumber } from '../flag-values.ts';

/** The flags of `hermes gateway`. */
export type GatewayFlags = Omit<RunFlags, 'extraBody'> &
  Readonly<{
    host?: string;
    port?: number;
    tokenFile?: string;
    idle?: number;
    maxSessions?: number;
    json?: boolean;
  }>;

/** As those of a run, but for a body: an agent's own requests say what is asked. */
export const gatewayModelFlags: FlagGroup = {
  ...modelFlags,
  flags: modelFlags.flags
    .filter(({ key }) => key !== 'env.extra_body')
    .map((spec) =>
      spec.flags.includes('--model')
        ? { ...spec, description: 'what answers: openai:NAME, llama:FILE.gguf (default: none yet)' }
        : spec,
    ),
};

const door: FlagGroup = {
  heading: 'Gateway:',
  flags: [
    {
      flags: '--host <address>',
      description: 'where it listens (default: 127.0.0.1); another one needs --token-file',
      parse: filled,
    },
    { flags: '--port <n>', description: '0 is any free one (default: 9100)', parse: wholeNumber },
    {
      flags: '--token-file <file>',
      description: 'the token that callers must bear; agents get a key of their session',
      parse: filled,
    },
    {
      flags: '--idle <seconds>',
      description: 'a session that nobody uses for so long is ended (default: 3600)',
      parse: positiveNumber,
    },
    {
      flags: '--max-sessions <n>',
      description: 'sessions at once (default: 10000)',
      parse: positiveInteger,
    },
    {
      flags: '-c, --config <file>',
      description: 'YAML with the sections env and openai; flags win over it',
      parse: filled,
    },
    { flags: '--json', description: 'where it listens, and what answers, as JSON' },
  ],
};

/** The command `gateway` with its flags. */
export function addGateway(program: Command, run: (flags: GatewayFlags) => Promise<void>): void {
  const command = program
    .command('gateway')
    .description('record what foreign agents do, token by token: a proxy that speaks their API')
    .addHelpText('after', more)
    .action(run);
  addFlags(command, [door, gatewayModelFlags]);
}

const more = `
An agent is given URL/ID/v1 as the base URL of OpenAI's API, or URL/ID for Anthropic's; ID is any name for its session.
GET URL/ID/nodes is what a trainer reads: the ids, masks and log-probs of the session. DELETE URL/ID ends it.
Without a model agents are told to wait until POST URL/setup names its servers. Ends with SIGTERM or ctrl-C.
Any key of a configuration section is a flag too: --openai.runpod_worker sglang, --openai.headers '{"x-team": "a"}'

Examples:
  hermes gateway --base-url http://127.0.0.1:8000 --server-type vllm --tokenizer Qwen/Qwen3-4B
  hermes gateway --model llama:model.gguf --port 0 --json
  hermes gateway --model openai:NAME --base-url URL   an endpoint without token ids: agents work, nothing is recorded`;
