import type { ExecRequest, ExecResult, Proc } from '../types.ts';
import { SandboxError } from '../types.ts';
import type { Activity } from './activity.ts';
import { abortable } from './deadline.ts';
import { messageOf } from './errors.ts';
import { ExecCall, type OnOutput } from './exec-call.ts';
import { type ExecDefaults, prepareExec } from './exec-request.ts';
import { cancelledBeforeStart, execResult, wasKilled } from './exec-result.ts';
import type { Link } from './link.ts';
import { LiveOutput } from './live-output.ts';
import type { OomMark, OomWatch } from './oom-watch.ts';
import { createProc } from './proc.ts';
import { sendStdin } from './stdin.ts';
import type { CoreEffects } from './system-effects.ts';

export type EngineOptions = Readonly<{
  link: Link;
  effects: CoreEffects;
  defaults: ExecDefaults;
  oom: OomWatch;
  activity: Activity;
}>;

type Begun = Readonly<{ monoMs: number; wallMs: number }>;

/** Runs commands over a link. */
export class ExecEngine {
  readonly #options: EngineOptions;
  readonly #named = new Map<string, Promise<ExecResult>>();

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** `session`: the id of the shell that runs it; absent: a process of its own. */
  exec(request: ExecRequest, session: number | null = null): Promise<ExecResult> {
    const key = request.idempotencyKey;
    const running = key === undefined ? undefined : this.#named.get(key);
    if (running !== undefined) return running;
    const result = this.#options.activity.during(() => this.#exec(request, session));
    if (key !== undefined) this.#remember(key, result);
    return result;
  }

  /** A key that still runs is not asked for again: the supervisor sends each output to one asker. */
  #remember(key: string, result: Promise<ExecResult>): void {
    const forget = () => void this.#named.delete(key);
    this.#named.set(key, result);
    result.then(forget, forget);
  }

  /** Resolves once it runs, or could not be started (`wait` then says why). Throws CANCELLED when the signal had fired. */
  async spawn(request: ExecRequest): Promise<Proc> {
    const begun = this.#options.effects.clock.now();
    if (!(await this.#mayStart(request.signal)))
      throw new SandboxError('CANCELLED', 'request', 'start a process: cancelled before the start');
    const outputs = {
      stdout: new LiveOutput(
        () => call.stdout,
        (bytes) => call.consumed(bytes),
      ),
      stderr: new LiveOutput(
        () => call.stderr,
        (bytes) => call.consumed(bytes),
      ),
    };
    const onOutput: OnOutput = (chunk, stream) => outputs[stream].push(chunk);
    const call: ExecCall = this.#start(request, null, onOutput);
    const result = this.#options.activity.during(() => this.#finish(call, request, begun));
    const endOutputs = () => {
      outputs.stdout.end();
      outputs.stderr.end();
    };
    result.then(endOutputs, endOutputs);
    await call.whenStarted;
    return createProc({ call, result, outputs, request, ...this.#options });
  }

  async #exec(request: ExecRequest, session: number | null): Promise<ExecResult> {
    const begun = this.#options.effects.clock.now();
    if (!(await this.#mayStart(request.signal))) {
      const waitedMs = this.#options.effects.clock.now().monoMs - begun.monoMs;
      return cancelledBeforeStart({ waitedMs, startedAtMs: begun.wallMs, wallMs: 0 });
    }
    const onOutput = request.onData === undefined ? null : this.#guarded(request.onData);
    return this.#finish(this.#start(request, session, onOutput), request, begun);
  }

  /** Waits out a reconnect; false when the signal fired first. */
  async #mayStart(signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted) return false;
    const opening = this.#options.link.whenOpen();
    if (opening === null) return true;
    try {
      await abortable(opening, signal);
      return true;
    } catch (cause) {
      if (signal?.aborted) return false;
      throw cause;
    }
  }

  #start(request: ExecRequest, session: number | null, onOutput: OnOutput | null): ExecCall {
    const { link, effects, defaults } = this.#options;
    const key = request.idempotencyKey ?? effects.newId('exec');
    const killsAtLimit = link.has('subreaper');
    const limitHere = request.output?.killAtLimit === true && !killsAtLimit;
    const streamed = onOutput !== null || limitHere;
    const prepared = prepareExec(request, defaults, { key, session, streamed, killsAtLimit });
    const keepResult = request.idempotencyKey !== undefined;
    const watch = onOutput === null ? {} : { onOutput };
    return new ExecCall(link, effects.clock, { ...prepared, keepResult, limitHere, ...watch });
  }

  async #finish(call: ExecCall, request: ExecRequest, begun: Begun): Promise<ExecResult> {
    const { clock } = this.#options.effects;
    const sentMs = clock.now().monoMs;
    const oomMark = this.#options.oom.mark();
    const feeding = this.#feed(call, request);
    const cancel = () => call.cancel();
    if (request.signal?.aborted) cancel();
    request.signal?.addEventListener('abort', cancel, { once: true });
    try {
      const end = await call.ended;
      if (feeding.failure !== null) throw feeding.failure;
      const wallMs = clock.now().monoMs - sentMs;
      const times = { waitedMs: sentMs - begun.monoMs, startedAtMs: begun.wallMs, wallMs };
      return await this.#withOom(execResult(call, end, times), oomMark);
    } finally {
      request.signal?.removeEventListener('abort', cancel);
    }
  }

  #feed(call: ExecCall, { stdin }: ExecRequest): { failure: SandboxError | null } {
    const feeding: { failure: SandboxError | null } = { failure: null };
    if (stdin === undefined) return feeding;
    sendStdin(this.#options.link, call, stdin).catch((cause) => {
      const message = `the input of a command failed: ${messageOf(cause)}`;
      feeding.failure = new SandboxError('CANCELLED', 'request', message, { cause });
      call.cancel();
    });
    return feeding;
  }

  async #withOom(result: ExecResult, mark: OomMark): Promise<ExecResult> {
    if (result.status === 'exited' && result.exitCode === 0) return result;
    const grew = this.#options.oom.grewSince(mark);
    if (!wasKilled(result) || !(await grew)) return result;
    const { stdout, stderr, leftover, timing, usage, cwdAfter } = result;
    return { status: 'oom', stdout, stderr, leftover, timing, usage, cwdAfter };
  }

  #guarded(onData: NonNullable<ExecRequest['onData']>): OnOutput {
    return (chunk, stream) => {
      try {
        onData(chunk, stream);
      } catch (cause) {
        const fields = { error: messageOf(cause) };
        this.#options.effects.logger.log('warn', 'onData of a command threw', fields);
      }
      return true;
    };
  }
}
