import type { BlockReader, OpenBlock, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import { SectionFiller } from '../section-filler.ts';
import { TokenCallReader } from './token-call.ts';
import {
  type CompiledTokenSection,
  compileTokenSection,
  type TokenSectionGrammar,
} from './token-section-grammar.ts';

/** The readers of sections and of single calls, for `blocks` of a format. */
export function tokenSectionBlocks(
  grammar: TokenSectionGrammar,
): Readonly<Record<string, OpenBlock>> {
  const compiled = compileTokenSection(grammar);
  const open: OpenBlock = (machine, start, marker) =>
    new TokenSectionReader(machine, compiled, start, marker);
  return Object.fromEntries(
    [...grammar.sectionBegins, grammar.callBegin].map((marker) => [marker, open]),
  );
}

class TokenSectionReader implements BlockReader {
  /** The call that is being read. */
  private call: TokenCallReader | null = null;
  private hasCall = false;
  private readonly isSection: boolean;
  private readonly filler: SectionFiller;
  private readonly machine: Machine;
  private readonly compiled: CompiledTokenSection;
  private readonly start: number;

  constructor(machine: Machine, compiled: CompiledTokenSection, start: number, marker: string) {
    this.machine = machine;
    this.compiled = compiled;
    this.start = start;
    this.isSection = marker !== compiled.grammar.callBegin;
    this.filler = new SectionFiller(machine);
    machine.beginBlock();
    if (this.isSection) return;
    machine.report('missing_wrapper', start);
    this.beginCall(start);
  }

  step(): Step {
    if (this.call === null) return this.readSection();
    const step = this.call.step();
    if (this.call.isOver) this.endCall();
    return step;
  }

  cut(): void {
    const { machine } = this;
    if (this.call !== null) this.call.cut();
    else if (this.hasCall) {
      this.filler.report();
      machine.endBlock();
    } else machine.truncate(this.start);
  }

  /** To the next call or the end of the section. */
  private readSection(): Step {
    const { machine, compiled } = this;
    const found = this.filler.seek(compiled.inSection);
    if (!found) return 'more';
    this.filler.report();
    machine.pos += found.length;
    if (found === compiled.grammar.callBegin) this.beginCall(machine.offset - found.length);
    else machine.endBlock();
    return 'again';
  }

  private beginCall(start: number): void {
    this.call = new TokenCallReader(this.machine, this.compiled, start);
  }

  private endCall(): void {
    this.call = null;
    this.hasCall = true;
    if (!this.isSection) this.machine.endBlock();
  }
}
