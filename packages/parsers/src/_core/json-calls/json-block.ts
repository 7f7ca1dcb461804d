import type { BlockReader, OpenBlock, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import { MarkerSet } from '../markers.ts';
import { EnvelopeReader } from './envelope.ts';

/** Calls as JSON objects behind an opening marker: one, several, or an array of them. */
export interface JsonBlockGrammar {
  /** Closing markers. None: the block ends with its JSON. */
  readonly closers: readonly string[];
  /** Markers before which a broken block ends. */
  readonly openers: readonly string[];
  /** Reads one object. Default: `name`, and `arguments` or `parameters`. */
  readonly envelope?: (machine: Machine) => EnvelopeReader;
}

/** The reader of blocks of this grammar. */
export function jsonBlock(grammar: JsonBlockGrammar): OpenBlock {
  const markers = new MarkerSet([...grammar.closers, ...grammar.openers]);
  return (machine, start, marker) => jsonBlockReader(machine, grammar, markers, start, marker);
}

function jsonBlockReader(
  machine: Machine,
  { closers, envelope: createEnvelope }: JsonBlockGrammar,
  markers: MarkerSet,
  start: number,
  marker: string,
): BlockReader {
  const newEnvelope = (): EnvelopeReader =>
    createEnvelope?.(machine) ?? new EnvelopeReader(machine);
  let envelope = newEnvelope();
  let isArray = false;
  /** A comma stands between the last item and the cursor. */
  let hasComma = false;
  /** Brackets are missing from the body, or stand behind it. */
  let isRepaired = false;
  /** Where a second look begins: at the item, the first with its marker, or behind a complete one. */
  let itemStart = start;
  let brokenName: string | undefined;

  const isCloser = (marker: string | null): marker is string =>
    marker !== null && closers.includes(marker);

  const readStart = (): Step => {
    if (!machine.skipSpace()) return 'more';
    const { character } = machine;
    if (character === '{') {
      machine.beginBlock();
      beginItem();
    } else if (character === '[' && !isArray) {
      machine.pos += 1;
      isArray = true;
    } else if (character === ']' && isArray) {
      machine.beginBlock();
      endArray();
      machine.note('empty_block', start);
    } else machine.strayBlock(start, marker);
    return 'again';
  };

  const beginItem = (): void => {
    envelope.begin();
    next = readItem;
  };

  const beginNextItem = (): void => {
    itemStart = machine.offset;
    envelope = newEnvelope();
    beginItem();
  };

  const readItem = (): Step => {
    const status = envelope.scan();
    if (status === 'more') return 'more';
    if (status === 'error') return readError();
    endItem();
    return 'again';
  };

  /** An illegal character: perhaps the closing marker came too early. */
  const readError = (): Step => {
    const marker = machine.match(markers);
    if (marker === undefined) return 'more';
    if (isCloser(marker) && !isArray && envelope.closeMissing()) endItem();
    else resync(envelope.name);
    return 'again';
  };

  const endItem = (): void => {
    envelope.deliver();
    itemStart = machine.offset;
    hasComma = false;
    next = readBetween;
  };

  const readBetween = (): Step => {
    if (!machine.skipSpace()) return readAfter();
    const { character } = machine;
    if (character === ',' || character === ';') {
      machine.pos += 1;
      hasComma = true;
    } else if (character === ']' && isArray) endArray();
    else if (character === '{' || (isArray && hasComma)) beginNextItem();
    else next = readAfter;
    return 'again';
  };

  const endArray = (): void => {
    if (hasComma && !canRepair()) return;
    machine.pos += 1;
    itemStart = machine.offset;
    isArray = false;
    next = readAfter;
  };

  /** A comma too many, a bracket too many or missing: a repair, or else the item is broken. */
  const canRepair = (): boolean => {
    isRepaired = machine.options.repair;
    if (!isRepaired) resync();
    return isRepaired;
  };

  const readAfter = (): Step => {
    const hasText = machine.skipSpace();
    const marker = machine.match(markers);
    if (marker === undefined) return 'more';
    const { character } = machine;
    if (hasText && isArray && marker === null) resync();
    else if (isCloser(marker)) {
      if (isArray && !canRepair()) return 'again';
      if (isRepaired) envelope.reportRepair();
      machine.pos += marker.length;
      machine.endBlock();
    } else if (machine.options.repair && (character === '}' || character === ']')) {
      machine.pos += 1;
      isRepaired = true;
    } else if (isRepaired && character === '{') {
      envelope.reportRepair();
      isRepaired = false;
      beginNextItem();
    } else {
      if (!isArray) machine.rewind(itemStart);
      if (isArray || closers.length > 0) machine.report('unclosed_call', start);
      machine.endBlock();
    }
    return 'again';
  };

  /** Of an object with several calls the complete ones are done with. */
  const callStart = (): number => Math.max(itemStart, envelope.deliveredUntil);

  /** A second look at what is broken, without knowledge of strings: complete items stay as they are. */
  const resync = (name?: string): void => {
    brokenName = name;
    machine.rewind(Math.max(callStart(), start + marker.length));
    next = readResync;
  };

  const readResync = (): Step => {
    const marker = machine.seek(markers);
    if (marker === undefined) return 'more';
    if (isCloser(marker)) machine.pos += marker.length;
    machine.dropCall('malformed_call', callStart(), { name: brokenName });
    machine.endBlock();
    return 'again';
  };

  /** Reads the part of the block that comes next. */
  let next = readStart;
  return {
    step: () => next(),
    cut() {
      const name = next === readItem ? envelope.name : undefined;
      const isInString = next === readItem && envelope.scanner.isInString;
      if (isInString && machine.holds(markers, envelope.start)) resync(name);
      else machine.truncate(callStart(), { name });
    },
  };
}
