import type { Owner } from './owner.ts';

/** The labels that every sandbox carries, so that a reaper knows whose it is. */
export const LABEL = {
  sandbox: 'hermes.sandbox',
  run: 'hermes.run',
  ownerPid: 'hermes.owner.pid',
  ownerBoot: 'hermes.owner.boot',
  ownerStart: 'hermes.owner.start',
  created: 'hermes.created',
  expires: 'hermes.expires',
  channel: 'hermes.channel',
} as const;

type Labels = Readonly<Record<string, string>>;

/** The labels of a new sandbox, over the caller's own. Times are epoch seconds. */
export function sandboxLabels(
  own: Labels,
  owner: Owner,
  nowMs: number,
  lifetimeMs: number,
): Labels {
  return {
    ...own,
    [LABEL.sandbox]: '1',
    [LABEL.ownerPid]: String(owner.pid),
    [LABEL.ownerBoot]: owner.boot,
    [LABEL.ownerStart]: owner.startTicks,
    [LABEL.created]: (nowMs / 1000).toFixed(3),
    [LABEL.expires]: String(Math.ceil((nowMs + lifetimeMs) / 1000)),
  };
}

/** When the sandbox ends, in ms since the epoch; null when its labels do not say. */
export function expiryOf(labels: Labels): number | null {
  return secondsToMs(labels[LABEL.expires]);
}

export function creationOf(labels: Labels): number | null {
  return secondsToMs(labels[LABEL.created]);
}

/** Null when the labels name no owner. */
export function ownerOf(labels: Labels): Owner | null {
  const pid = Number(labels[LABEL.ownerPid]);
  const boot = labels[LABEL.ownerBoot];
  if (!Number.isInteger(pid) || pid <= 0 || boot === undefined) return null;
  return { pid, boot, startTicks: labels[LABEL.ownerStart] ?? '' };
}

/** Whether `labels` has everything that a filter asks for. */
export function matchesLabels(labels: Labels, wanted: Labels = {}): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

function secondsToMs(value: string | undefined): number | null {
  const seconds = value === undefined ? Number.NaN : Number(value);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}
