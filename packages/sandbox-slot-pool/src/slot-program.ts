import { readFile } from 'node:fs/promises';
import {
  type ExecRequest,
  type ExecResult,
  type Proc,
  type Sandbox,
  SandboxError,
  supervisorFiles,
} from '@hermes/sandbox';
import { HOST_FOLDER } from './places.ts';

const ERRAND_MS = 60_000;

const STORE = `umask 077
mkdir -p "$1" && cat > "$1/hermes-supervisor" && chmod 755 "$1/hermes-supervisor"`;

type Words = readonly [string, ...string[]];
type Errand = Pick<ExecRequest, 'stdin' | 'signal'>;

/** The program that makes slots, in one inner sandbox. It always runs as root. */
export class SlotProgram {
  /** What it has on disk; absolute, inside. */
  readonly folder: string;
  readonly #sandbox: Sandbox;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.folder = `${sandbox.info.workdir.replace(/\/$/, '')}/${HOST_FOLDER}`;
  }

  /** Puts it there. Throws UNSUPPORTED for a processor that it was not built for, SANDBOX_UNHEALTHY, or what the sandbox throws. */
  async store(errand: Pick<Errand, 'signal'>): Promise<void> {
    const uname = await this.#run(['uname', '-m'], errand);
    const machine = uname.stdout.text().trim();
    const path = supervisorFiles().binary(machine);
    if (path === null)
      throw new SandboxError(
        'UNSUPPORTED',
        'provider',
        `make slots: there is no program for the processor ${machine}`,
      );
    const stdin = await readFile(path);
    await this.#run(['sh', '-c', STORE, 'sh', this.folder], { ...errand, stdin });
  }

  /** Runs it for something short. Throws SANDBOX_UNHEALTHY with its own words when it fails. */
  errand(words: Words, errand: Errand): Promise<ExecResult> {
    return this.#run(this.#argv(words), errand);
  }

  /** Starts it for something that lasts, with an open input. */
  spawn(words: Words, signal?: AbortSignal): Promise<Proc> {
    return this.#sandbox.spawn({
      ...{ command: { argv: this.#argv(words) }, user: 'root', stdin: 'open', cwd: '/' },
      timeoutMs: Number.POSITIVE_INFINITY,
      ...(signal === undefined ? {} : { signal }),
    });
  }

  #argv(words: Words): Words {
    return [`${this.folder}/hermes-supervisor`, ...words];
  }

  async #run(argv: Words, errand: Errand): Promise<ExecResult> {
    const request = { command: { argv }, cwd: '/', user: 'root', timeoutMs: ERRAND_MS };
    const result = await this.#sandbox.exec({ ...request, ...errand });
    checkErrand(result);
    return result;
  }
}

/** Throws SANDBOX_UNHEALTHY with the words of an errand that failed. */
export function checkErrand(result: ExecResult): void {
  if (result.status === 'exited' && result.exitCode === 0) return;
  const said = result.stderr.text().trim();
  const how = said.replace(/^hermes-supervisor: /, '');
  throw new SandboxError('SANDBOX_UNHEALTHY', 'provider', how === '' ? endOf(result) : how);
}

function endOf(result: ExecResult): string {
  return result.status === 'not_started' ? result.message : `an errand ended as ${result.status}`;
}
