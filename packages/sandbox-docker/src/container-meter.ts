import type { Clock, ResourceUsage } from '@hermes/protocol';
import type { SandboxCgroup } from '@hermes/sandbox/host';
import { cgroupUsage, engineUsage, findCgroup } from './container-usage.ts';
import type { Engine } from './engine.ts';
import { ANSWER_MS, limited } from './limited.ts';

export type MeterParts = Readonly<{
  engine: Engine;
  id: string;
  createdAtMs: number;
  clock: Pick<Clock, 'now'>;
}>;

/** What a running container has used: from the control groups where they are this machine's, else as the daemon says it. */
export class ContainerMeter {
  readonly #parts: MeterParts;
  #oomEvents = 0;
  #cgroup: Promise<SandboxCgroup | null> | null = null;

  constructor(parts: MeterParts) {
    this.#parts = parts;
  }

  /** How often the daemon told of a kill for want of memory. */
  get oomEvents(): number {
    return this.#oomEvents;
  }

  countOom(): void {
    this.#oomEvents += 1;
  }

  async usage(): Promise<ResourceUsage | null> {
    const { engine, id, createdAtMs, clock } = this.#parts;
    const wallSeconds = (clock.now().wallMs - createdAtMs) / 1000;
    const cgroup = await this.#findCgroup();
    return cgroup === null
      ? engineUsage(engine, id, wallSeconds, this.#oomEvents)
      : cgroupUsage(cgroup, wallSeconds);
  }

  /** Without the control groups at hand the daemon's events are counted. */
  async oomKills(): Promise<number | null> {
    const cgroup = await this.#findCgroup();
    return cgroup === null ? this.#oomEvents : ((await cgroupUsage(cgroup, 0))?.oomKills ?? null);
  }

  #findCgroup(): Promise<SandboxCgroup | null> {
    this.#cgroup ??= this.#askCgroup();
    return this.#cgroup;
  }

  async #askCgroup(): Promise<SandboxCgroup | null> {
    const { engine, id } = this.#parts;
    const container = engine.docker.getContainer(id);
    const { State } = await container.inspect({ abortSignal: limited(ANSWER_MS) });
    return findCgroup(State.Pid, id);
  }
}
