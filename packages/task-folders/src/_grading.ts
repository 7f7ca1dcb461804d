import type { TaskToml } from './_toml-types.ts';
import type { Grading } from './types.ts';

/** A verifier that looks at processes, or talks to them by other means than the network. */
const LOOKS_AT_PROCESSES =
  /\b(?:pgrep|pidof|pkill|lsof|systemctl|supervisorctl|tmux|psutil)\b|\bps\s+(?:-\w|aux|ax)|\bservice\s+\S+\s+status|\bkill\s+-0|\/proc\/[\d$*[{]|\/[\w.-]+\.(?:pid|sock)\b/;
/** One that may talk to a service. */
const TALKS_TO_SERVICES =
  /\blocalhost\b|\b127\.0\.0\.1\b|\b0\.0\.0\.0\b|\[::1\]|\b(?:nc|ncat|telnet|netstat|ss)\s+-|\/dev\/tcp\//;

/** A Dockerfile that leaves open on which system it begins. */
const HAS_ANY_BASE = /^\s*FROM\s+(?:--\S+\s+)*\$(?:BASE\b|\{BASE\b)/im;

/**
 * How a task wants to be graded. What it says decides: `[verifier] environment_mode`, then `[metadata] stop_processes`. A
 * task that says nothing is graded in a fresh root, save that its test scripts show that they look at what still runs.
 */
export function gradingOf(
  toml: TaskToml,
  testScripts: readonly string[],
  dockerfile: string | null,
): Grading {
  const { environment_mode: mode } = toml.verifier;
  const { stop_processes: stops } = toml.metadata;
  const system = systemOf(toml, dockerfile);
  if (mode === 'separate') return { root: 'fresh', carries: 'artifacts', system, processes: 'end' };
  const looks = toml.environment.healthcheck !== undefined || any(LOOKS_AT_PROCESSES, testScripts);
  const keeps = stops === undefined && (looks || any(TALKS_TO_SERVICES, testScripts));
  const processes = stops === false || keeps ? 'keep' : 'end';
  const isShared = mode === 'shared' || stops === false || (keeps && (looks || isOffline(toml)));
  return { root: isShared ? 'shared' : 'fresh', carries: 'all', system, processes };
}

/** A task that runs on whatever system there is can mean none that the agent has changed. */
function systemOf(
  { environment, metadata }: TaskToml,
  dockerfile: string | null,
): Grading['system'] {
  const hasAnyBase = environment.docker_image === undefined && HAS_ANY_BASE.test(dockerfile ?? '');
  return (metadata.tests_system ?? !hasAnyBase) ? 'image' : 'any';
}

function any(pattern: RegExp, texts: readonly string[]): boolean {
  return texts.some((text) => pattern.test(text));
}

/** Without the host's network a service is reached from its own sandbox alone. */
function isOffline({ environment }: TaskToml): boolean {
  return environment.allow_internet === false || environment.network_mode === 'no-network';
}
