import type { JsonObject } from '@hermes/protocol';
import type { TrackedEntry } from '../types.ts';

type Point = Readonly<{ timeUnixNano: string; asDouble: number }>;

/** Entries as the body of an OTLP request in JSON. Each name is a gauge; `hermes.step` says at which step the others stood. */
export function exportRequest(
  entries: readonly TrackedEntry[],
  attributes: Readonly<Record<string, string>>,
): JsonObject {
  const metrics = [...pointsByName(entries)].map(([name, dataPoints]) => ({
    name: metricName(name),
    gauge: { dataPoints },
  }));
  return {
    resourceMetrics: [
      {
        resource: { attributes: keyValues({ 'service.name': 'hermes', ...attributes }) },
        scopeMetrics: [{ scope: { name: '@hermes/tracking' }, metrics }],
      },
    ],
  };
}

function pointsByName(entries: readonly TrackedEntry[]): ReadonlyMap<string, readonly Point[]> {
  const points = new Map<string, Point[]>();
  for (const entry of entries) {
    if (entry.kind === 'table') continue;
    const timeUnixNano = nanoseconds(entry.wallMs);
    for (const [name, asDouble] of Object.entries({ ...entry.values, 'hermes.step': entry.step })) {
      const ofName = points.get(name) ?? [];
      points.set(name, [...ofName, { timeUnixNano, asDouble }]);
    }
  }
  return points;
}

/** As text: the number is larger than JSON numbers are exact. */
function nanoseconds(wallMs: number): string {
  return String(BigInt(Math.round(wallMs * 1000)) * 1000n);
}

/** At most 255 characters of a few kinds, a letter first. */
function metricName(name: string): string {
  return (
    name
      .replace(/^[^A-Za-z]+/, '')
      .replace(/[^A-Za-z0-9_.\-/]/g, '_')
      .slice(0, 255) || 'unnamed'
  );
}

function keyValues(attributes: Readonly<Record<string, string>>): readonly JsonObject[] {
  return Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
}
