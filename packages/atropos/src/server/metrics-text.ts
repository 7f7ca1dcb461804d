import { counterNames } from './counters.ts';
import type { RouteContext } from './route.ts';

/** The state of the server in Prometheus' text form. */
export function metricsText(context: RouteContext): string {
  const { counters } = context;
  const totals = counterNames.map((name) =>
    metric(`trajectory_${name}_total`, 'counter', counters.values[name]),
  );
  const gauges = Object.entries(gaugesOf(context)).map(([name, value]) =>
    metric(`trajectory_${name}`, 'gauge', value),
  );
  return [...totals, ...gauges].join('');
}

function gaugesOf({ queue, logBytes }: RouteContext): Readonly<Record<string, number>> {
  const { state } = queue;
  return {
    step: queue.step,
    queued_groups: state.queue?.length ?? 0,
    queued_sequences: (state.queue ?? []).reduce((sum, { size }) => sum + size, 0),
    buffered_groups: [...state.buffers.values()].reduce((sum, { length }) => sum + length, 0),
    ready_batches: state.ready.length,
    waiting_bytes: state.waitingBytes,
    connected_environments: queue.connected().length,
    log_bytes: logBytes(),
  };
}

function metric(name: string, type: 'counter' | 'gauge', value: number): string {
  return `# TYPE ${name} ${type}\n${name} ${value}\n`;
}
