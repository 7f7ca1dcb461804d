/** One thing to measure. `run` does it once and returns something of it, so that nothing can be optimised away. */
export interface Variant {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** Waits, beside the clock, for what a run leaves under way, so that the next one does not pay for it. */
  readonly settle?: (result: unknown) => Promise<unknown>;
}

/** Milliseconds a run. */
export interface Timing {
  readonly minMs: number;
  readonly medianMs: number;
}

/** Runs the variants in turn, `rounds` times each after a warm-up, so that all of them see the same load. */
export declare function interleave(
  variants: readonly Variant[],
  rounds: number,
): Promise<Readonly<Record<string, Timing>>>;

/** One line of a result: a ratio and the bound that it is held to. */
export interface Ratio {
  readonly name: string;
  readonly value: number;
  readonly bound: number;
  /** `at_most` (the default): smaller is better. */
  readonly direction?: 'at_most' | 'at_least';
  readonly unit?: string;
}

/** Prints the lines and writes them as JSON, with what they were measured on, beside the benchmark: `<file without .ts>.json`. Sets exit code 1 when a bound is missed. */
export declare function report(
  benchmarkUrl: string,
  ratios: readonly Ratio[],
  details: Readonly<Record<string, unknown>>,
): Promise<void>;
