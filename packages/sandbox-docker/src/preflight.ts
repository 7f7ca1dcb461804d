import type { PreflightReport } from '@hermes/sandbox';
import { z } from 'zod';
import { MAKE_ROOM } from './disk-guard.ts';
import type { Engine } from './engine.ts';
import { failureOf } from './engine-error.ts';
import type { ResolvedDockerSettings } from './settings.ts';

type Findings = Pick<PreflightReport, 'problems'> & Readonly<{ summary: string }>;
/** The library's types leave out that it takes options. */
type Ask = (this: unknown, options: object) => Promise<unknown>;
type Problem = PreflightReport['problems'][number];

const LONGEST_MS = 10_000;

const infoSchema = z.looseObject({
  ServerVersion: z.string().default('of unknown version'),
  OSType: z.string().default('linux'),
  Architecture: z.string().default(''),
  MemoryLimit: z.boolean().default(true),
  PidsLimit: z.boolean().default(true),
  CpuCfsQuota: z.boolean().default(true),
  DriverStatus: z.array(z.array(z.string())).default([]),
  Runtimes: z.record(z.string(), z.unknown()).default({}),
});

type Info = z.output<typeof infoSchema>;

/** Asks the daemon what it is and what it can keep. */
export async function checkEngine(
  { docker, address }: Engine,
  settings: ResolvedDockerSettings,
  lackOfRoom: () => Promise<string | null>,
  signal?: AbortSignal,
): Promise<Findings> {
  const abortSignal = AbortSignal.any([
    AbortSignal.timeout(LONGEST_MS),
    ...(signal ? [signal] : []),
  ]);
  try {
    const answer = await (docker.info as Ask).call(docker, { abortSignal });
    const info = infoSchema.parse(answer);
    const summary = `isolation container: Docker ${info.ServerVersion} at ${address}`;
    return {
      summary,
      problems: [...problemsOf(info, settings), ...roomProblems(await lackOfRoom())],
    };
  } catch (cause) {
    return { summary: `no Docker at ${address}`, problems: [unreachable(cause, address)] };
  }
}

function roomProblems(lack: string | null): Problem[] {
  return lack === null ? [] : [{ code: 'DOCKER_DISK', message: lack, fix: MAKE_ROOM }];
}

function problemsOf(info: Info, { gpus, runtime, diskQuota }: ResolvedDockerSettings): Problem[] {
  const problems: Problem[] = [];
  const add = (code: string, message: string, fix: string) => problems.push({ code, message, fix });
  if (info.OSType !== 'linux')
    add('DOCKER_OS', `the daemon runs ${info.OSType} containers`, 'switch it to Linux containers');
  const limits = { memory: info.MemoryLimit, pids: info.PidsLimit, cpu: info.CpuCfsQuota };
  const missing = Object.entries(limits).flatMap(([name, kept]) => (kept ? [] : [name]));
  if (missing.length > 0)
    add(
      'DOCKER_LIMITS',
      `the daemon cannot limit ${missing.join(', ')}`,
      'enable these control groups in the kernel of its machine',
    );
  if (diskQuota && !info.DriverStatus.flat().includes('xfs'))
    add(
      'DOCKER_QUOTA',
      'the daemon keeps its containers on a file system without quotas',
      'put its data on xfs mounted with pquota, or set diskQuota: false',
    );
  const wanted = [...(runtime === undefined ? [] : [runtime]), ...(gpus ? ['nvidia'] : [])];
  for (const name of wanted.filter((one) => info.Runtimes[one] === undefined))
    add(
      'DOCKER_RUNTIME',
      `the daemon has no runtime ${name}`,
      `install and register ${name}, or leave it out of the settings`,
    );
  return problems;
}

function unreachable(cause: unknown, address: string): Problem {
  const { code, message } = failureOf(cause);
  const fix =
    code === 'EACCES'
      ? 'add your user to the group docker, or run as root'
      : 'start it (systemctl start docker, or dockerd), or set DOCKER_HOST or the setting host';
  return {
    code: 'DOCKER_UNREACHABLE',
    message: `no Docker daemon answers at ${address} (${message})`,
    fix,
  };
}
