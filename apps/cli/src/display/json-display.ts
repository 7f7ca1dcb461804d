import type { RolloutSink } from '@hermes/env-core';
import type { Output } from '../context.ts';

/** One `RunEvent` a line. The last line is `{"type":"summary", ...RunSummary}` in place of `run_end`. */
export function createJsonDisplay(output: Output): RolloutSink {
  return {
    run(event) {
      const line = event.type === 'run_end' ? { type: 'summary', ...event.summary } : event;
      output.write(`${JSON.stringify(line)}\n`);
    },
  };
}
