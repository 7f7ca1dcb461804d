import { failure } from '../_failure.ts';
import type { MetricTarget, OpenTelemetrySettings, TrackedEntry } from '../types.ts';
import { exportRequest } from './export-request.ts';

const TIMEOUT_MS = 10_000;
/** The protocol's list: with every other answer the same request would fail again. */
const LATER = [429, 502, 503, 504];

/** Gauges for an OpenTelemetry collector, over OTLP/HTTP in JSON. A table has no place there. */
export function createOpenTelemetryTarget(
  settings: OpenTelemetrySettings,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): MetricTarget {
  const { url, headers = {}, attributes = {}, timeoutMs = TIMEOUT_MS } = settings;
  const post = async (entries: readonly TrackedEntry[], signal: AbortSignal): Promise<Response> => {
    try {
      return await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(exportRequest(entries, attributes)),
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
    } catch (cause) {
      throw failure(`${shown(url)} was not reached`, { retryable: true, cause });
    }
  };
  return {
    name: 'OpenTelemetry',
    write: async (entries, signal) => {
      const numbers = entries.filter(({ kind }) => kind !== 'table');
      if (numbers.length === 0) return;
      if (!isAddress(url))
        throw failure('its endpoint is no http address without user and password');
      const response = await post(numbers, signal);
      await response.body?.cancel();
      if (response.ok) return;
      const retryable = LATER.includes(response.status);
      throw failure(`${shown(url)} answered with ${response.status}`, { retryable });
    },
    close: async () => undefined,
  };
}

/** What `fetch` takes. */
function isAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return ['http:', 'https:'].includes(protocol) && username + password === '';
}

/** Without a query, which may hold a key. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
