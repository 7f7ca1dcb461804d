/** A claim that a short test cannot show. Its full run is kept below `proofs/`. */
export interface Proof {
  readonly name: string;
  /** What holds when it ends without an error. */
  readonly claim: string;
  /** How often the full run repeats, and the share that every test run does. */
  readonly fullCount: number;
  readonly shareCount: number;
  /** Runs `count` repetitions; throws on the first that breaks the claim. Returns the counts to be kept; a record of counts becomes a section of its own. */
  run(options: ProofOptions): Promise<Readonly<Record<string, Count | Counts>>>;
}

export type Counts = Readonly<Record<string, Count>>;
type Count = number | string;

export interface ProofOptions {
  readonly seed: number;
  readonly count: number;
  /** The small share of a test run: leaves out what takes minutes to start. */
  readonly isShare: boolean;
  readonly root: string;
  /** How many processes may work at once. Default: as many as there are cores. */
  readonly processes?: number;
  readonly say: (line: string) => void;
}
