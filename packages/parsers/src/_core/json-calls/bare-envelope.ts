import type { OpenBlock } from '../format.ts';
import { MarkerSet } from '../markers.ts';
import { EnvelopeReader } from './envelope.ts';

/** A call object at the start of the content whose opening tag was lost but whose closing tag came. */
export function bareEnvelope(closer: string): OpenBlock {
  const closers = new MarkerSet([closer]);
  return (machine, start, brace) => {
    if (!machine.isAtContentStart) return null;
    const envelope = new EnvelopeReader(machine, undefined, false);
    const cut = (): void => machine.textBlock(start, brace);
    let end = -1;
    machine.rewind(start);
    envelope.begin();
    return {
      cut,
      step() {
        if (end < 0) {
          const status = envelope.scan();
          if (status === 'more') return 'more';
          end = machine.offset;
          if (status === 'error' || !envelope.name || envelope.arguments?.kind !== '{') cut();
          return 'again';
        }
        machine.skipSpace();
        const found = machine.match(closers);
        if (found === undefined) return 'more';
        if (!found) cut();
        else {
          machine.beginBlock();
          envelope.deliver();
          machine.report('missing_wrapper', start, {}, end);
          machine.pos += closer.length;
          machine.endBlock();
        }
        return 'again';
      },
    };
  };
}
