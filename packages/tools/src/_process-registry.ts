import type { Effects } from '@hermes/protocol';
import type { ExecRequest, Proc, Sandbox } from '@hermes/sandbox';
import { SandboxError } from '@hermes/sandbox';
import { type BackgroundProcess, trackProcess } from './_background-process.ts';

const MAX_TRACKED = 64;
const KEEP_FINISHED_MS = 1_800_000;
const START_GRACE_MS = 1_000;

type BackgroundCommand = Readonly<{
  command: string;
  cwd: string;
  request: ExecRequest;
}>;

/** refusal: why there is no process, for the model. */
type Started = Readonly<
  { process: BackgroundProcess; refusal: null } | { process: null; refusal: string }
>;

/** The background processes of one rollout; nobody else can see them. */
export interface ProcessRegistry {
  /** Throws SandboxError. */
  start(sandbox: Sandbox, command: BackgroundCommand): Promise<Started>;
  get(id: string): BackgroundProcess | null;
  list(): readonly BackgroundProcess[];
  /** Ends all of them. */
  close(): Promise<void>;
}

export function createProcessRegistry(effects: Effects): ProcessRegistry {
  const processes = new Map<string, BackgroundProcess>();
  let closed = false;
  let starting = 0;

  const forgetOld = (): void => {
    const now = effects.clock.now().monoMs;
    for (const { id, ended } of processes.values()) {
      if (ended !== null && now - ended.at.monoMs >= KEEP_FINISHED_MS) processes.delete(id);
    }
  };

  const hasRoom = (): boolean => {
    forgetOld();
    if (processes.size + starting < MAX_TRACKED) return true;
    const oldest = [...processes.values()].find(({ ended }) => ended !== null);
    return oldest !== undefined && processes.delete(oldest.id);
  };

  return {
    async start(sandbox, command) {
      if (!hasRoom()) return { process: null, refusal: TOO_MANY };
      starting += 1;
      try {
        const started = await spawnTracked(sandbox, command, effects);
        if (started.process === null) return started;
        processes.set(started.process.id, started.process);
        if (closed) await refuseLate(started.process);
        return started;
      } finally {
        starting -= 1;
      }
    },
    get(id) {
      forgetOld();
      return processes.get(id) ?? null;
    },
    list() {
      forgetOld();
      return [...processes.values()];
    },
    async close() {
      closed = true;
      const running = [...processes.values()].filter(({ ended }) => ended === null);
      await Promise.allSettled(running.map((process) => process.kill()));
    },
  };
}

const TOO_MANY =
  'Too many background processes are running. End some of them with process kill, then try again.';

async function refuseLate(process: BackgroundProcess): Promise<never> {
  await process.kill();
  throw new SandboxError('CANCELLED', 'request', 'The rollout ended while the process started');
}

async function spawnTracked(
  sandbox: Sandbox,
  { command, cwd, request }: BackgroundCommand,
  effects: Effects,
): Promise<Started> {
  const startedAt = effects.clock.now();
  const proc = await sandbox.spawn(request);
  const refusal = await whyNotStarted(proc, effects);
  if (refusal !== null) return { process: null, refusal };
  const id = `proc_${effects.newId('proc').slice(-12)}`;
  const hasStdin = request.stdin === 'open';
  const process = trackProcess(proc, { id, command, cwd, startedAt, hasStdin, effects });
  return { process, refusal: null };
}

/** A process that could not start has no pid and ends at once; one that runs may have none either. */
async function whyNotStarted(proc: Proc, { clock }: Effects): Promise<string | null> {
  if (proc.pid !== null) return null;
  const timer = new AbortController();
  const slept = clock.sleep(START_GRACE_MS, timer.signal).catch(() => undefined);
  const result = await Promise.race([proc.wait(), slept]).finally(() => timer.abort());
  return result?.status === 'not_started' ? result.message : null;
}
