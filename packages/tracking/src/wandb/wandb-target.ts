import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JsonObject } from '@hermes/protocol';
import { failure } from '../_failure.ts';
import { masked } from '../_mask.ts';
import type { MetricTarget, TrackedEntry, WandbSettings } from '../types.ts';
import { type Bridge, openBridge } from './open-bridge.ts';

const PYTHON = 'python3';
const START_MS = 90_000;
const ANSWER_MS = 60_000;
/** To finish a run may take as long as the tracker's deadline lets it. */
const NO_LIMIT_MS = 2_147_483_647;

/** A run at Weights & Biases, through their own Python client. It is started by the first write, which also asks for settings that are a function. */
export function createWandbTarget(
  given: WandbSettings | (() => Promise<WandbSettings>),
): MetricTarget {
  let run: Readonly<{ bridge: Bridge; settings: WandbSettings }> | null = null;
  const start = async (signal: AbortSignal) => {
    const asked = typeof given === 'function' ? await given() : given;
    const settings = { ...asked, folder: resolve(asked.folder) }; // the client works in that folder
    const { python = PYTHON, folder, variables } = settings;
    await mkdir(folder, { recursive: true });
    const bridge = openBridge({ python, folder, variables });
    run = { bridge, settings };
    await beginRun(bridge, settings, signal);
    return run;
  };
  return {
    name: 'Weights & Biases',
    write: async (entries, signal) => {
      const { bridge, settings } = run ?? (await start(signal));
      const { secrets = [], answerMs = ANSWER_MS } = settings;
      const wireEntries = entries.map((entry) => masked(toWire(entry), secrets));
      await bridge.ask({ entries: wireEntries }, answerMs, signal);
    },
    close: async (signal) => {
      if (run === null) return;
      const { bridge } = run;
      if (signal.aborted) return bridge.kill();
      await bridge.ask({ finish: true }, NO_LIMIT_MS, signal);
      bridge.end();
      await bridge.gone;
    },
  };
}

async function beginRun(
  { ask, gone }: Bridge,
  settings: WandbSettings,
  signal: AbortSignal,
): Promise<void> {
  const { startMs = START_MS, python = PYTHON } = settings;
  const answer = await ask({ start: startMessage(settings, startMs) }, startMs, signal);
  if (answer.failed === undefined) return;
  await gone; // its own doing: it has nothing to end
  if (answer.failed !== 'ModuleNotFoundError')
    throw failure(`wandb.init failed: ${String(answer.message).split('\n')[0]}`);
  throw failure(
    `${python} has no package wandb (${answer.message}); install it with pip, or name a Python that has it`,
  );
}

/** The arguments of `wandb.init`, and how long it may wait for the server: a little less than we wait for it. */
function startMessage(settings: WandbSettings, startMs: number): JsonObject {
  const { project, name, mode, folder, id, group, jobType, config = {}, secrets = [] } = settings;
  return {
    ...{ project, name, mode, dir: folder, config: masked(config, secrets) },
    ...(id === undefined ? {} : { id }),
    ...(group === undefined ? {} : { group }),
    ...(jobType === undefined ? {} : { job_type: jobType }),
    startSeconds: (startMs * 0.9) / 1000,
  };
}

function toWire({ wallMs, ...entry }: TrackedEntry): JsonObject {
  return { ...entry, seconds: wallMs / 1000 };
}
