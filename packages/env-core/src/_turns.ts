/** A place in a line: `mine` resolves when all before have passed; `pass` lets the next one come, and must be called. */
export type Turn = Readonly<{ mine: Promise<void>; pass: () => void }>;

/** Work that may be done at any time ends in the order in which the turns were taken. */
export function openTurns(): { readonly take: () => Turn } {
  let last: Promise<void> = Promise.resolve();
  return {
    take: () => {
      const mine = last;
      let pass = (): void => undefined;
      const passed = new Promise<void>((resolve) => {
        pass = resolve;
      });
      last = mine.then(() => passed);
      return { mine, pass };
    },
  };
}
