import type { OpenCall } from '../answer.ts';
import type { CreateMachine } from '../format.ts';
import { Machine } from '../machine.ts';

/** What a format needs beside its markers; it is asked first. */
export interface Extension {
  /** Does what a marker in ordinary text means. False: the usual. */
  act?(marker: string, start: number): boolean;
  /** Reads ordinary text: false when the window is used up. Undefined: the usual. */
  readPlain?(): boolean | undefined;
  /** The id of a call that brings this one; null for a new one. */
  callId?(name: string, givenId: string | null): string | null;
  /** A call was handed over. */
  endCall?(call: OpenCall, givenId: string | null): void;
}

/**
 * Makes machines that ask an extension, one for each answer. One class serves all of them: a
 * class for each would slow every machine down, whose properties the engine finds by their class.
 */
export function extendedMachine(extend: (machine: Machine) => Extension): CreateMachine {
  return (...[format, options]) => new ExtendedMachine(format, options, extend);
}

class ExtendedMachine extends Machine {
  readonly #extension: Extension;
  /** What the open call brought. */
  #givenId: string | null = null;

  constructor(
    ...[format, options, extend]: [...Parameters<CreateMachine>, (machine: Machine) => Extension]
  ) {
    super(format, options);
    this.#extension = extend(this);
  }

  protected override act(marker: string, start: number): void {
    if (!this.#extension.act?.(marker, start)) super.act(marker, start);
  }

  protected override readPlain(): boolean {
    return this.#extension.readPlain?.() ?? super.readPlain();
  }

  override startCall(name: string, givenId: string | null, start: number): void {
    const { callId } = this.#extension;
    this.#givenId = givenId;
    super.startCall(name, callId === undefined ? givenId : callId(name, givenId), start);
  }

  override endCall(): void {
    const call = this.openCall;
    super.endCall();
    if (call !== null) this.#extension.endCall?.(call, this.#givenId);
  }
}
