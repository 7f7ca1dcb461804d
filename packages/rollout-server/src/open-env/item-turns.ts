/** Which item is next for resets that name none, for each environment and split apart. */
export class ItemTurns {
  readonly #next = new Map<string, number>();

  /** 0, 1, 2, ... */
  take(environmentId: string, split: string): number {
    const key = `${split} ${environmentId}`;
    const turn = this.#next.get(key) ?? 0;
    this.#next.set(key, turn + 1);
    return turn;
  }
}
