import type { ToolAnswer } from '../tools/tool.ts';

/** So many answers of a slot are kept for whoever asks again. */
const KEPT = 200;

/** What was run under which id: the same id again runs nothing and gives the first answer. */
export class Executions {
  readonly #answers = new Map<string, Promise<ToolAnswer>>();

  once(id: string, run: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
    const known = this.#answers.get(id);
    if (known !== undefined) return known;
    const answer = run();
    this.#answers.set(id, answer);
    // what failed on the way may be tried again; an answer stays
    answer.catch(() => this.#answers.delete(id));
    this.#forgetOldest();
    return answer;
  }

  clear(): void {
    this.#answers.clear();
  }

  #forgetOldest(): void {
    for (const id of this.#answers.keys()) {
      if (this.#answers.size <= KEPT) return;
      this.#answers.delete(id);
    }
  }
}
