import type { Act } from './format.ts';
import type { Machine } from './machine.ts';

/** Tags around the answer: removed with the white space on their inner side. */
export function answerTags(open: string, close: string): Record<string, Act> {
  return {
    [open]: inContent(({ content }) => content.openAnswer()),
    [close]: inContent(({ content }) => content.closeAnswer()),
  };
}

function inContent(cutOut: (machine: Machine) => string): Act {
  return (machine, tag) => {
    if (machine.isReasoning) machine.passPlain(tag);
    else machine.emitText('content', cutOut(machine));
  };
}
