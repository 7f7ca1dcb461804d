import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunConfig, RunSummary } from '@hermes/env-core';
import type { JsonObject, MetricSink } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { moveAside } from './move-aside.ts';
import { writeSamples } from './write-samples.ts';

/** The folder of `data_dir_to_save_evals`: the results of the last evaluation under the names that they always had. */
export interface EvaluationLog {
  /** Takes the metrics of the run as they are told. */
  readonly metrics: MetricSink;
  /** Writes the files; those of an earlier run are moved into a folder beside them. records: the file of the run's records. */
  write(summary: RunSummary, run: LoggedRun): Promise<void>;
}

/** What of a run is written down. */
type LoggedRun = Readonly<{
  environment: string;
  model: string;
  config: RunConfig;
  records: string;
}>;

/** Makes the folder. Throws CONFIG where that cannot be. */
export async function openEvaluationLog(folder: string): Promise<EvaluationLog> {
  await mkdir(folder, { recursive: true }).catch((cause: Error) => {
    const message = `env.data_dir_to_save_evals: ${folder} cannot be made: ${cause.message}`;
    throw new HermesError('config', 'CONFIG', message, { cause });
  });
  let values: Readonly<Record<string, number>> = {};
  return {
    metrics: {
      write: (_step, _wallMs, told) => {
        values = { ...values, ...told };
      },
      close: async () => {},
    },
    async write(summary, run) {
      await moveAside(folder, FILES);
      await writeSamples(run.records, join(folder, 'samples.jsonl'));
      await writeJson(join(folder, 'metrics.json'), metricsOf(summary, values, run));
      await writeJson(join(folder, 'evaluate_config.yaml'), configOf(run.config));
    },
  };
}

const FILES = ['metrics.json', 'samples.jsonl', 'evaluate_config.yaml'] as const;

function metricsOf(
  { wallMs }: RunSummary,
  values: Readonly<Record<string, number>>,
  { environment, model, config }: LoggedRun,
): JsonObject {
  const { maxTokenLength, agentTemperature, maxAgentTurns, terminalBackend } = config.env;
  return {
    config_general: {
      model_name: model,
      total_evaluation_time_seconds: String(wallMs / 1000), // a text, as readers of the file expect it
      generation_parameters: {
        max_new_tokens: maxTokenLength,
        temperature: agentTemperature,
        max_agent_turns: maxAgentTurns,
        terminal_backend: terminalBackend,
      },
    },
    results: { [`atropos|${environment}_eval|0`]: values, all: values },
  };
}

/** JSON is YAML too. Secrets are hidden in it. */
function configOf({ dump }: RunConfig): JsonObject {
  return { ...dump, slurm: false, testing: false };
}

/** Whole or not at all. */
async function writeJson(path: string, value: JsonObject): Promise<void> {
  const partial = `${path}.partial`;
  await writeFile(partial, `${JSON.stringify(value, null, 2)}\n`);
  await rename(partial, path);
}
