import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SandboxSpec } from '../types.ts';

type Labels = Readonly<Record<string, string>>;

/** The caller's labels with those that every sandbox bears. */
export function fullLabels(labels: Labels, expiresAtMs: number): Labels {
  return {
    ...labels,
    'hermes.sandbox': '1',
    'hermes.owner.pid': String(process.pid),
    'hermes.owner.boot': bootId(),
    'hermes.expires': String(Math.ceil(expiresAtMs / 1000)),
  };
}

export function matchesLabels(labels: Labels, wanted: Labels = {}): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

/** `hermes-<run8>-<8 hex of the key>`: the same request has the same name. */
export function sandboxName(spec: SandboxSpec): string {
  const run = (spec.labels['hermes.run'] ?? 'norun').replace(/[^a-zA-Z0-9]/g, '').slice(0, 8);
  const key = createHash('sha256').update(spec.idempotencyKey).digest('hex').slice(0, 8);
  return `hermes-${run}-${key}`;
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'unknown'; // not Linux: nobody reads it there but this process
  }
}
