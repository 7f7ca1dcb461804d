import { traceText } from './buildkit-trace.ts';
import type { ProgressLine } from './progress-stream.ts';

const KEPT_CHARS = 4000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of
const COLOURS = /\u001b\[[\d;]*m/g;

/** What a build tells, for people: without colours, each step of BuildKit's once. */
export class BuildLog {
  readonly #steps = new Set<string>();
  #end = '';

  /** The text of a line of progress, which is kept. */
  add(line: ProgressLine): string {
    const text = (line.stream ?? traceText(line, this.#steps)).replace(COLOURS, '');
    this.#end = (this.#end + text).slice(-KEPT_CHARS);
    return text;
  }

  /** Words for the end of an error; none where there is nothing to show. */
  get tail(): string {
    const end = this.#end.trim();
    return end === '' ? '' : `; the log ends with:\n${end}`;
  }
}
