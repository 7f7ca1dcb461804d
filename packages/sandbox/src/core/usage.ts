import type { ResourceUsage } from '@hermes/protocol';
import type { DriverSandbox } from '../types.ts';
import { parseUsage } from './exec-frames.ts';
import { FRAME } from './frames.ts';
import type { Link } from './link.ts';
import { ReplyCall } from './reply-call.ts';
import type { CoreEffects } from './system-effects.ts';
import { parseControl } from './welcome.ts';

type UsageParts = Readonly<{ inner: DriverSandbox; link: Link; effects: CoreEffects }>;

/** What the sandbox has used: as the driver counts it, else as the supervisor knows it of ended processes. */
export async function readUsage(parts: UsageParts): Promise<ResourceUsage | null> {
  const { inner, link, effects } = parts;
  const counted = await inner.usage?.();
  if (counted !== undefined && counted !== null) return counted;
  if (!link.has('usage')) return null;
  const known = await askSupervisor(link);
  if (known === null) return null;
  return {
    ...known,
    wallSeconds: Math.max(0, effects.clock.now().wallMs - inner.info.createdAtMs) / 1000,
    diskBytes: null,
    oomKills: null,
    scope: 'sandbox',
    source: 'rusage',
    exact: false,
  };
}

async function askSupervisor(link: Link): Promise<ReturnType<typeof parseUsage>> {
  await link.whenOpen();
  let usage: ReturnType<typeof parseUsage> = null;
  const call = new ReplyCall(link, (type, payload) => {
    if (type === FRAME.usageReply) usage = parseUsage(parseControl(payload));
    return true;
  });
  link.control(FRAME.usage, call.id, {});
  await call.done;
  return usage;
}
