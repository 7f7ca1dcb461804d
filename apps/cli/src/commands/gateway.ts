import { createEffects, type RunConfig } from '@hermes/env-core';
import { type Gateway, type GatewayBackend, startGateway } from '@hermes/gateway';
import type { Effects } from '@hermes/protocol';
import type { CliContext } from '../context.ts';
import type { DottedFlag } from '../dotted-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openBackend } from '../gateway/gateway-backend.ts';
import type { GatewayFlags } from '../gateway/gateway-command.ts';
import { gatewayConfig, gatewayModel } from '../gateway/gateway-config.ts';
import { setUp } from '../gateway/set-up.ts';
import { closeInTime } from '../in-time.ts';
import { interrupted } from '../interrupted.ts';
import { note } from '../note.ts';
import { modelRequest } from '../open-model.ts';
import { readToken } from '../read-token.ts';
import { loggerOf } from '../stderr-logger.ts';

const PORT = 9100;

/** `hermes gateway`: the proxy for foreign agents, until it is interrupted. */
export async function runGateway(
  flags: GatewayFlags,
  dotted: readonly DottedFlag[],
  context: CliContext,
): Promise<ExitCode> {
  const config = await gatewayConfig(flags, dotted, context);
  const model = gatewayModel(flags, config, context);
  const token = await readToken('--token-file', flags.tokenFile, context);
  for (const notice of config.notices) note(context, notice);
  const effects = createEffects({ logger: loggerOf(context) }, 0);
  const request = modelRequest(config, true, context, effects);
  const backend = model === null ? null : await openBackend(model, request);
  const gateway = await started(flags, config, { backend, token, effects }, context);
  tell(gateway, backend, flags, context);
  await interrupted(context.signal);
  await closeInTime('the gateway', gateway.close, context);
  return exitCodes.interrupted;
}

type Parts = Readonly<{ backend: GatewayBackend | null; token: string | null; effects: Effects }>;

/** Where it cannot be started, the model is closed again. */
async function started(
  { host, port = PORT, idle, maxSessions }: GatewayFlags,
  { servers }: RunConfig,
  { backend, token, effects }: Parts,
  context: CliContext,
): Promise<Gateway> {
  try {
    return await startGateway({
      backend,
      setup: (setup) => setUp(setup, context, effects),
      port,
      callTimeoutMs: Math.max(...servers.map(({ timeoutMs }) => timeoutMs)),
      ...(host === undefined ? {} : { host }),
      ...(token === null ? {} : { token }),
      ...(idle === undefined ? {} : { sessionIdleMs: idle * 1000 }),
      ...(maxSessions === undefined ? {} : { maxSessions }),
      effects,
    });
  } catch (error) {
    await closeInTime('the model', () => backend?.close?.(), context);
    throw error;
  }
}

function tell(
  { baseUrl: url }: Gateway,
  backend: GatewayBackend | null,
  { json }: GatewayFlags,
  context: CliContext,
): void {
  if (backend === null)
    note(context, 'no model yet: agents are told to wait until POST /setup names its servers');
  const port = Number(new URL(url).port);
  const model = backend?.modelId ?? null;
  const givesTokens = backend === null ? null : backend.tokenizer !== undefined;
  context.stdout.write(
    json === true ? `${JSON.stringify({ url, port, model, givesTokens })}\n` : `${url}\n`,
  );
}
