import type { Random } from '@hermes/protocol';
import { forms } from './forms.ts';

/** One question to both judges: does this response give this answer? */
export type Pair = Readonly<{ form: string; gold: string; response: string }>;

/** `count` pairs from the answers of a data set, every form in turn, each fourth with another number than the right one. */
export function makePairs(answers: readonly string[], count: number, random: Random): Pair[] {
  return Array.from({ length: count }, (_, index) => {
    const form = forms[index % forms.length];
    if (form === undefined) throw new Error('there are no forms');
    const number = Number(pick(answers, random).replaceAll(',', ''));
    const isWrong = random.next() < 0.25;
    const other = isWrong ? number + 1 + Math.floor(random.next() * 9) : number;
    return { form: form.name, gold: form.gold(number), response: form.response(other, random) };
  });
}

function pick<T>(list: readonly T[], random: Random): T {
  const chosen = list[Math.floor(random.next() * list.length)];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return chosen;
}
