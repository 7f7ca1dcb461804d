import { type WandbSettings, wandbMode } from '@hermes/tracking';
import type { CliContext } from '../context.ts';
import type { RunTrackerRequest } from './open-run-tracker.ts';

/** How the run goes to Weights & Biases; null = it does not. Where nobody said so, a login of earlier days is not taken for a wish. */
export async function wandbSettings(
  request: RunTrackerRequest,
  context: CliContext,
): Promise<(() => Promise<WandbSettings>) | null> {
  const mode = await wantedMode(request.run.config.tracking.wandb, context);
  if (mode === null) return null;
  const settings = { ...namesOf(request), mode, ...surroundings(request, context) };
  const variables = context.environmentVariables;
  return async () => {
    const trainer = await request.trainer?.();
    const group = trainer?.group ?? variables.WANDB_RUN_GROUP;
    const project = trainer?.project ?? variables.WANDB_PROJECT ?? 'hermes';
    return { ...settings, project, ...(group === undefined ? {} : { group }) };
  };
}

/** A run that is resumed keeps its id, and so its place. */
function namesOf({ command, run, directory }: RunTrackerRequest) {
  const { definition, config, effects } = run;
  const day = new Date(effects.clock.now().wallMs).toISOString().slice(0, 10);
  const name = `${config.tracking.runName ?? definition.id}-${day}-${directory.runId.slice(-6)}`;
  return { name, id: directory.runId, jobType: command };
}

function surroundings(
  { run: { config }, directory }: RunTrackerRequest,
  { environmentVariables: variables }: CliContext,
) {
  return {
    folder: directory.path,
    config: config.dump,
    secrets: [...config.servers.map(({ apiKey }) => apiKey), ...secretsIn(variables)],
    ...(variables.HERMES_PYTHON ? { python: variables.HERMES_PYTHON } : {}),
    variables,
  };
}

/** wish: key `use_wandb`; null = nobody said. */
async function wantedMode(
  wish: boolean | null,
  { environmentVariables, stderr }: CliContext,
): Promise<WandbSettings['mode'] | null> {
  if (wish === false) return null;
  const mode = await wandbMode(environmentVariables);
  if (mode === 'no_key' && wish === true) stderr.write(`note: ${NO_KEY}\n`);
  if (mode === 'no_key' || mode === 'off') return null;
  const isAsked =
    wish === true || mode === 'offline' || Boolean(environmentVariables.WANDB_API_KEY);
  return isAsked ? mode : null;
}

const NO_KEY =
  'use_wandb needs a key: set WANDB_API_KEY or run wandb login; with WANDB_MODE=offline it needs none. The run is tracked in its folder only';

/** Values of variables that are named like secrets. */
function secretsIn(variables: CliContext['environmentVariables']): readonly string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    value && /(KEY|TOKEN|SECRET|PASSWORD)$/i.test(name) ? [value] : [],
  );
}
