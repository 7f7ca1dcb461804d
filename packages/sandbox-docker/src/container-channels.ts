import { type ByteChannel, SandboxError, type SandboxRef } from '@hermes/sandbox';
import { type Engine, hijack } from './engine.ts';
import { engineError, failureOf } from './engine-error.ts';
import { ANSWER_MS, limited, MAKING_MS } from './limited.ts';
import { programChannel } from './program-channel.ts';

type Argv = readonly [string, ...string[]];

const STREAMS = { AttachStdin: true, AttachStdout: true, AttachStderr: true };

/** Ways into one container: the first channel starts it, every later one joins its supervisor. */
export class ContainerChannels {
  readonly #engine: Engine;
  readonly #ref: SandboxRef;
  readonly #open = new Set<ByteChannel>();
  #isStarted: boolean;

  constructor(engine: Engine, ref: SandboxRef, isStarted: boolean) {
    this.#engine = engine;
    this.#ref = ref;
    this.#isStarted = isStarted;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** signal: gives up the way in; a channel that is open stays. */
  async open(argv: Argv, signal: AbortSignal): Promise<ByteChannel> {
    const channel = await (this.#isStarted ? this.#join(argv, signal) : this.#start(signal));
    this.#open.add(channel);
    void channel.closed.then(() => this.#open.delete(channel));
    return channel;
  }

  close(): void {
    for (const channel of this.#open) channel.destroy();
  }

  /** The container's command is the supervisor's, given when it was made. */
  async #start(signal: AbortSignal): Promise<ByteChannel> {
    const path = `/containers/${this.#ref.id}/attach`;
    const query = { stream: true, stdin: true, stdout: true, stderr: true };
    const within = limited(MAKING_MS, signal);
    const connection = await hijack(this.#engine, { path, query, signal: within }).catch((cause) =>
      Promise.reject(engineError(cause, 'attach to a new container')),
    );
    const channel = programChannel(connection, async () => null);
    try {
      await this.#engine.docker.getContainer(this.#ref.id).start({ abortSignal: within });
      this.#isStarted = true;
      return channel;
    } catch (cause) {
      channel.destroy();
      throw startError(cause);
    }
  }

  async #join(argv: Argv, signal: AbortSignal): Promise<ByteChannel> {
    const { id, name } = this.#ref;
    try {
      const options = { ...STREAMS, Tty: false, Cmd: [...argv], User: '0:0' };
      const abortSignal = limited(MAKING_MS, signal);
      const exec = await this.#engine.docker
        .getContainer(id)
        .exec({ ...options, abortSignal: abortSignal });
      const path = `/exec/${exec.id}/start`;
      const body = { Detach: false, Tty: false };
      const stream = await hijack(this.#engine, { path, body, signal: abortSignal });
      const exitCode = async () => {
        const { ExitCode } = await exec.inspect({ abortSignal: limited(ANSWER_MS) });
        return ExitCode;
      };
      return programChannel(stream, exitCode);
    } catch (cause) {
      throw engineError(cause, `open a channel to ${name ?? id}`);
    }
  }
}

/** The one thing of ours that an image may not be able to run is the supervisor. */
function startError(cause: unknown): SandboxError {
  const { message } = failureOf(cause);
  const known = engineError(cause, 'start a container');
  if (!/exec format|exec: /i.test(message)) return known;
  const text = `${known.message}; where the image cannot run the program, set supervisor: 'sh'`;
  return new SandboxError('SANDBOX_UNHEALTHY', 'sandbox', text, { cause });
}
