import { HermesError } from '@hermes/protocol';
import { createSandboxServer, type SandboxServerOptions } from '@hermes/sandbox-server';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { interrupted } from '../interrupted.ts';
import { readToken } from '../read-token.ts';
import { type SourceFlags, withProvider } from '../sandboxes/each-provider.ts';
import { readSandboxConfig, type SandboxConfig } from '../sandboxes/read-sandbox-config.ts';
import { loggerOf } from '../stderr-logger.ts';

/** The flags of `hermes sandbox serve`. */
export interface ServeFlags extends SourceFlags {
  readonly provider?: string;
  readonly tokenFile?: string;
  readonly host?: string;
  readonly port?: number;
  readonly slots?: number;
  readonly image?: string;
  readonly lifetime?: number;
  readonly insecureNoSandbox?: boolean;
}

/** `hermes sandbox serve`: slots over HTTP until it is interrupted. */
export async function runSandboxServe(
  flags: ServeFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  const config = await readSandboxConfig(flags, dotted, context);
  const token = await readToken('--token-file', flags.tokenFile, context);
  if (token === null) throw wrong(TOKEN_NEEDED);
  const name = flags.provider ?? flags.sandbox ?? config.backend;
  await withProvider(name, config, context, async (provider) => {
    const options = optionsOf(flags, config);
    const effects = { logger: loggerOf(context) };
    await using server = await createSandboxServer({ ...options, provider, token, effects });
    const { url, port } = server;
    context.stdout.write(flags.json === true ? `${JSON.stringify({ url, port })}\n` : `${url}\n`);
    await interrupted(context.signal);
  });
  context.signal.throwIfAborted();
  return exitCodes.ran;
}

const TOKEN_NEEDED =
  '--token-file is needed: a file with the token that callers must bear, for example of: (umask 077; openssl rand -hex 32 > token)';

function optionsOf(
  { host, port, slots, image, lifetime, insecureNoSandbox }: ServeFlags,
  { limits }: SandboxConfig,
): Omit<SandboxServerOptions, 'provider' | 'token'> {
  return {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(slots === undefined ? {} : { slots }),
    ...(lifetime === undefined ? {} : { lifetimeMs: lifetime * 1000 }),
    ...(insecureNoSandbox === undefined ? {} : { insecureNoSandbox }),
    spec: {
      ...(image === undefined ? {} : { image: { kind: 'ref', ref: image } }),
      ...(Object.keys(limits).length === 0 ? {} : { resources: limits }),
    },
  };
}

function wrong(message: string): HermesError {
  return new HermesError('config', 'CONFIG', message);
}
