/** Who wants to know of an end, once. Whoever leaves is forgotten: what lives for hours must not hold on to what does not. */
export class EndListeners {
  readonly #listeners = new Set<() => void>();
  #hasEnded = false;

  /** Calls at once when the end has come already. Returns how to leave. */
  add(listener: () => void): () => void {
    if (this.#hasEnded) listener();
    else this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  end(): void {
    this.#hasEnded = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
