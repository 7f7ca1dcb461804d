import type { Clock } from '@hermes/protocol';
import { type Proc, SandboxError } from '@hermes/sandbox';
import { z } from 'zod';
import type { SlotConfig } from './slot-config.ts';
import type { SlotProgram } from './slot-program.ts';

const LONGEST_MS = 30_000;

const usageSchema = z.object({
  version: z.union([z.literal(1), z.literal(2)]),
  cpuSeconds: z.number().nullable(),
  peakMemoryBytes: z.number().nullable(),
  oomKills: z.number().nullable(),
});

const answerSchema = z.object({
  id: z.number(),
  problem: z.string().optional(),
  usage: usageSchema.optional(),
});

/** What a slot has used; null is what cannot be read. */
export type SlotUsage = Readonly<{
  /** Of the control groups. */
  version: 1 | 2;
  cpuSeconds: number | null;
  peakMemoryBytes: number | null;
  oomKills: number | null;
}>;

type Answer = Readonly<{ problem?: string | undefined; usage?: SlotUsage | undefined }>;
type Line = Readonly<{ proc: Proc; waiting: Map<number, (answer: Answer | SandboxError) => void> }>;

/** A process of an inner sandbox that answers questions about its slots, so that none costs a program's start. */
export class SlotTender {
  readonly #program: Pick<SlotProgram, 'spawn'>;
  readonly #clock: Clock;
  #line: Promise<Line> | null = null;
  #lastId = 0;

  constructor(program: Pick<SlotProgram, 'spawn'>, clock: Clock) {
    this.#program = program;
    this.#clock = clock;
  }

  /** What an ended slot has left; null: it is proved that there is nothing. */
  async findRemains(config: SlotConfig): Promise<string | null> {
    return (await this.#ask('verify', config)).problem ?? null;
  }

  async usage(config: SlotConfig): Promise<SlotUsage> {
    const { usage, problem } = await this.#ask('usage', config);
    if (usage === undefined) throw failed(problem ?? 'no usage was told');
    return usage;
  }

  async #ask(what: 'verify' | 'usage', config: SlotConfig): Promise<Answer> {
    this.#line ??= this.#open();
    const { proc, waiting } = await this.#line;
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new Promise<Answer | SandboxError>((resolve) => waiting.set(id, resolve));
    const over = new AbortController();
    try {
      await proc.write(Buffer.from(`${JSON.stringify({ id, do: what, config })}\n`));
      const late = this.#clock
        .sleep(LONGEST_MS, over.signal)
        .then(() => failed('no answer in time'));
      const answer = await Promise.race([answered, late]);
      if (answer instanceof SandboxError) throw answer;
      return answer;
    } finally {
      over.abort();
      waiting.delete(id);
    }
  }

  async #open(): Promise<Line> {
    const proc = await this.#program.spawn(['slot', 'tend']);
    const waiting: Line['waiting'] = new Map();
    void this.#read(proc, waiting).then((error) => {
      this.#line = null; // the next question starts another
      for (const resolve of waiting.values()) resolve(error);
    });
    return { proc, waiting };
  }

  /** Resolves, when it has ended, with what that means to who still waits. */
  async #read(proc: Proc, waiting: Line['waiting']): Promise<SandboxError> {
    try {
      let rest = '';
      for await (const chunk of proc.stdout) {
        const lines = (rest + Buffer.from(chunk).toString('utf8')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const { id, ...answer } = answerSchema.parse(JSON.parse(line));
          waiting.get(id)?.(answer);
        }
      }
      const { stderr } = await proc.wait();
      return failed(stderr.text().trim() || 'its process has ended');
    } catch (cause) {
      return failed(cause instanceof Error ? cause.message : String(cause));
    }
  }
}

function failed(how: string): SandboxError {
  return new SandboxError('SANDBOX_UNHEALTHY', 'sandbox', `look after slots: ${how}`);
}
