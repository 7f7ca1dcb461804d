import type { EditFailure, EditOutcome, Place } from './edit-types.ts';
import { hasRawBytes } from './file-text.ts';
import type { PatchFailure } from './patch-target.ts';

type Refusal = Extract<EditOutcome, { ok: false }>;

/** A refused edit as a sentence, with what is in the file to compare with. */
export function editFailure(outcome: Refusal, path: string, text: string): PatchFailure {
  const error = `${sentenceFor(outcome, path)}${whereabouts(outcome, text)}`;
  const hint = hintFor(outcome, text);
  return hint === null ? { code: outcome.code, error } : { code: outcome.code, error, hint };
}

function sentenceFor({ code, count }: Refusal, path: string): string {
  const sentences: Readonly<Record<EditFailure, string>> = {
    EMPTY_OLD: 'The text to replace is empty: give the lines that shall change',
    IDENTICAL: 'The old and the new text are the same: nothing would change',
    NOT_FOUND: `Could not find the text to replace in ${path}`,
    AMBIGUOUS: `Found ${count} places in ${path} that fit; none was changed. Give more lines around the one you mean, or set replace_all=true to change every exact one`,
    UNCLEAR_INDENTATION: `The text fits a place in ${path}, but not how the new lines are to be indented there. Give old and new lines with the indentation of the file`,
    RAW_BYTES: `The text fits a place in ${path}, but would put \ufffd where the file has bytes that are not UTF-8`,
  };
  return sentences[code];
}

function whereabouts({ code, places }: Refusal, text: string): string {
  if (code === 'NOT_FOUND' && text === '') return ': the file is empty';
  const lines = places.map(({ line }) => line).join(', ');
  if (lines === '') return '';
  return code === 'NOT_FOUND' ? `. The nearest place is line ${lines}` : `. See line ${lines}`;
}

function hintFor({ code, places }: Refusal, text: string): string | null {
  if (places.length === 0) return null;
  const intro = code === 'NOT_FOUND' ? 'Is this what you mean?' : 'In the file:';
  const shown = places.map(({ text: lines }: Place) => lines).join('\n...\n');
  const hint = `${intro}\n${shown}\nRead the file again and copy the text as it is.`;
  return hasRawBytes(text)
    ? `${hint} The file has bytes that are not UTF-8, shown as \ufffd: leave those lines out of the text to replace.`
    : hint;
}
