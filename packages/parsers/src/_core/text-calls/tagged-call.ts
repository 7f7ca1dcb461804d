import type { BlockReader, OpenBlock, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import { SectionFiller } from '../section-filler.ts';
import { tagAt } from '../tag-at.ts';
import { type CallSurroundings, TaggedCallBody } from './tagged-call-body.ts';
import {
  type CompiledTaggedCall,
  compileTaggedCall,
  type TaggedCallGrammar,
} from './tagged-call-grammar.ts';

/** The readers of blocks and of calls without one, for `blocks` of a format. */
export function taggedCallBlocks(grammar: TaggedCallGrammar): Readonly<Record<string, OpenBlock>> {
  const compiled = compileTaggedCall(grammar);
  const open: OpenBlock = (machine, start, marker) =>
    new TaggedCallReader(machine, compiled, start, marker);
  const { block, wrapper, withoutBlock } = grammar;
  const wrappers = wrapper === undefined ? [] : [wrapper.open];
  const calls = withoutBlock === 'text' ? [] : compiled.callOpens;
  return Object.fromEntries([...block.opens, ...wrappers, ...calls].map((text) => [text, open]));
}

/** Reads what is around the calls: the block, the wrappers, the text between them. */
class TaggedCallReader implements BlockReader, CallSurroundings {
  /** Reads the part that comes next. */
  private next: () => Step = this.readBlockStart;
  private isBegun = false;
  private readonly isBlock: boolean;
  callStart: number;
  private callEnd = 0;
  /** The last call of the block: none yet, handed over, or dropped. */
  private lastCall: 'none' | 'kept' | 'dropped' = 'none';
  /** A wrapper is open: its call is still to come, or to be closed. */
  private isWrapperOpen = false;
  private hasUnclosed = false;
  private readonly call: TaggedCallBody;
  private readonly filler: SectionFiller;
  private readonly machine: Machine;
  private readonly compiled: CompiledTaggedCall;
  private readonly start: number;
  private readonly marker: string;

  constructor(machine: Machine, compiled: CompiledTaggedCall, start: number, marker: string) {
    const { block, wrapper } = compiled.grammar;
    this.machine = machine;
    this.compiled = compiled;
    this.start = start;
    this.marker = marker;
    this.callStart = start;
    this.isBlock = block.opens.includes(marker);
    this.isWrapperOpen = marker === wrapper?.open;
    this.call = new TaggedCallBody(machine, compiled, this);
    this.filler = new SectionFiller(machine);
    if (wrapper !== undefined && (this.isBlock || this.isWrapperOpen)) {
      this.begin();
      this.next = this.readBetweenCalls;
    } else if (!this.isBlock) this.next = this.readCall;
  }

  step(): Step {
    return this.next();
  }

  cut(): void {
    const { machine } = this;
    const isBetween = this.next === this.readBetweenCalls && !this.isWrapperOpen;
    if (isBetween) this.endFiller();
    if (isBetween && this.lastCall !== 'none') machine.endBlock();
    else if (this.isBegun || this.isBlock || !this.isFine) machine.truncate(this.callStart);
    else machine.textBlock(this.start, this.marker);
  }

  /** Calls need no block: what looks like one may also be ordinary text. */
  private get isFine(): boolean {
    return this.compiled.grammar.withoutBlock === 'fine';
  }

  begin(): void {
    if (!this.isBegun) this.machine.beginBlock();
    this.isBegun = true;
  }

  private readBlockStart(): Step {
    const { machine, compiled } = this;
    if (!machine.skipSpace()) return 'more';
    const opener = tagAt(machine, compiled.callOpen);
    if (opener === undefined) return 'more';
    if (opener !== null) this.openCall(opener);
    else machine.strayBlock(this.start, this.marker);
    return 'again';
  }

  private openCall(marker: string): void {
    const { machine } = this;
    if (this.isBegun && !this.isWrapperOpen) this.callStart = machine.offset;
    machine.pos += marker.length;
    this.call.begin();
    this.next = this.readCall;
  }

  /** Between wrappers: to the next call, wrapper or end of the block; other text is dropped. */
  private readBetweenCalls(): Step {
    const { machine, compiled } = this;
    const { block, wrapper } = compiled.grammar;
    const marker = this.filler.seek(compiled.betweenCalls);
    if (!marker) return 'more';
    this.endFiller();
    if (compiled.callOpens.includes(marker)) {
      this.openCall(marker);
      return 'again';
    }
    const start = machine.offset;
    if (marker === wrapper?.close) machine.pos += marker.length;
    if (this.isWrapperOpen) this.dropWrapper();
    if (marker === wrapper?.open) this.openWrapper(start, marker);
    else if (block.closes.includes(marker)) this.endBlock(marker);
    else if (!this.isBlock) machine.endBlock();
    return 'again';
  }

  /** Text between wrappers is worth a word; in a wrapper it says the type of the call. */
  private endFiller(): void {
    if (this.isWrapperOpen) this.filler.forget();
    else this.filler.report();
  }

  private openWrapper(start: number, marker: string): void {
    this.machine.pos += marker.length;
    this.callStart = start;
    this.isWrapperOpen = true;
  }

  /** A wrapper without a call. */
  private dropWrapper(): void {
    this.machine.dropCall('malformed_call', this.callStart);
    this.isWrapperOpen = false;
    this.lastCall = 'dropped';
  }

  endBlock(marker: string): void {
    this.machine.pos += marker.length;
    this.machine.endBlock();
  }

  private readCall(): Step {
    return this.call.step();
  }

  abandonCall(): boolean {
    const { machine } = this;
    if (!this.isFine && (this.isBegun || this.isBlock)) return true;
    if (this.isBegun) this.endUnclosed();
    else if (this.isBlock || !this.isFine) machine.strayBlock(this.start, this.marker);
    else machine.textBlock(this.start, this.marker);
    return false;
  }

  endCall(isClosed: boolean): void {
    const { machine } = this;
    this.leaveCall('kept');
    if (!this.isBlock && !this.isFine) machine.report('missing_wrapper', this.start);
    if (!isClosed) this.reportUnclosed(this.callStart);
  }

  endDroppedCall(): void {
    this.leaveCall('dropped');
  }

  private leaveCall(lastCall: 'kept' | 'dropped'): void {
    this.callEnd = this.machine.offset;
    this.lastCall = lastCall;
    this.next = this.readAfterCall;
  }

  private readAfterCall(): Step {
    const { machine, compiled } = this;
    const { block, wrapper } = compiled.grammar;
    if (!machine.skipSpace() && !machine.isLast) return 'more';
    const marker = machine.match(compiled.afterCall);
    if (marker === undefined) return 'more';
    if (wrapper !== undefined) this.endWrapper(marker);
    else if (marker === null) this.endUnclosed();
    else if (this.isBlock && compiled.callOpens.includes(marker)) this.openCall(marker);
    // A lone closing tag of a block goes with the call whose opening one was lost.
    else if ((this.isBlock || !this.isFine) && block.closes.includes(marker)) this.endBlock(marker);
    else this.endUnclosed();
    return 'again';
  }

  private endWrapper(marker: string | null): void {
    const { machine } = this;
    if (marker === this.compiled.grammar.wrapper?.close) machine.pos += marker.length;
    else {
      machine.rewind(this.callEnd);
      if (this.isWrapperOpen) this.reportUnclosed(this.callStart);
    }
    this.isWrapperOpen = false;
    this.hasUnclosed = false;
    this.next = this.readBetweenCalls;
    if (!this.isBlock) machine.endBlock();
  }

  private endUnclosed(): void {
    this.machine.rewind(this.callEnd);
    if (this.isBlock) this.reportUnclosed(this.start);
    this.machine.endBlock();
  }

  /** Once per block, and only for a call that was handed over. */
  private reportUnclosed(start: number): void {
    if (this.hasUnclosed || this.lastCall !== 'kept') return;
    this.hasUnclosed = true;
    this.machine.report('unclosed_call', start, {}, this.callEnd);
  }
}
