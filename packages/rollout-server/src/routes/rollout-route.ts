import type { ServerContext } from '../context.ts';
import { readJson } from '../http/read-json.ts';
import { sendJson } from '../http/send-json.ts';
import { withinLimits } from '../http/within-limits.ts';
import { playRollouts } from '../rollouts/play-rollouts.ts';
import { readRolloutRequest } from '../rollouts/rollout-request.ts';
import { wireRollout } from '../rollouts/wire-rollout.ts';
import type { Visit } from './route.ts';

/** `POST /rollouts` */
export async function postRollouts(
  context: ServerContext,
  { request, response }: Visit,
): Promise<void> {
  const asked = readRolloutRequest(await readJson(request, context.bodyBytes));
  const timeoutMs = asked.timeoutMs ?? context.requestTimeoutMs;
  const records = await withinLimits(context, response, timeoutMs, (signal) =>
    playRollouts(context, asked, signal),
  );
  sendJson(response, 200, { rollouts: records.map(wireRollout) });
}
