import headless, { type Terminal as XtermTerminal } from '@xterm/headless';

const SCROLLBACK_LINES = 50_000;
/** Shells mark their prompts for terminals by this code. */
const PROMPT_MARK = 133;

/** What a person would see: bytes go in, lines come out. */
export class Screen {
  readonly #xterm: XtermTerminal;
  #prompts = 0;

  constructor(cols: number, rows: number, onPrompt: () => void) {
    this.#xterm = new headless.Terminal({
      cols,
      rows,
      scrollback: SCROLLBACK_LINES,
      allowProposedApi: true,
    });
    this.#xterm.parser.registerOscHandler(PROMPT_MARK, () => {
      this.#prompts += 1;
      onPrompt();
      return true;
    });
  }

  /** How often the shell asked for a command. */
  get prompts(): number {
    return this.#prompts;
  }

  write(chunk: Uint8Array): void {
    this.#xterm.write(chunk);
  }

  /** The visible lines; with isEntire also those that scrolled away. Lines that were only wrapped are whole. */
  async text(isEntire: boolean): Promise<string> {
    await new Promise<void>((resolve) => this.#xterm.write('', resolve)); // what came before is drawn
    const { active } = this.#xterm.buffer;
    const lines: string[] = [];
    for (let row = isEntire ? 0 : active.baseY; row < active.length; row += 1) {
      const line = active.getLine(row);
      if (line === undefined) continue;
      const isWrappedOn = active.getLine(row + 1)?.isWrapped === true;
      const text = line.translateToString(!isWrappedOn);
      if (line.isWrapped && lines.length > 0) lines.push((lines.pop() ?? '') + text);
      else lines.push(text);
    }
    return lines.join('\n').trimEnd();
  }

  dispose(): void {
    this.#xterm.dispose();
  }
}
