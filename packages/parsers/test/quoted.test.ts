import { expect, it } from 'vitest';
import { escapedText, quoted } from '../src/_core/json/quoted.ts';

it('writes every character as JSON.stringify does, alone, among others and behind half a pair', () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code);
    for (const text of [character, `a${character}b`, `\ud83d${character}`]) {
      const json = JSON.stringify(text);
      if (quoted(text) !== json || `"${escapedText(text)}"` !== json)
        expect.fail(`other than ${json}: ${quoted(text)}`);
    }
  }
});
