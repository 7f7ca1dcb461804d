/** One finding: what is wrong, and in which file or package. */
export interface Finding {
  readonly place: string;
  readonly message: string;
}

/** What one package may import. `'*'` allows every sibling. */
export interface Arrow {
  readonly layer: string;
  readonly hermes: readonly string[] | '*';
  readonly vendors: readonly string[];
}

/** Checks every package below `packages` and `apps` of a repository against a table of arrows. */
export declare function checkArrows(
  root: string,
  table: Readonly<Record<string, Arrow>>,
): Promise<readonly Finding[]>;
