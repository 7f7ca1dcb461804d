import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Received } from './trainer-side.ts';

/**
 * What the environment has written down beside what has arrived. left: groups that make no batch, which nobody can look into. mayBeLost: how
 * many acknowledged groups a server without a log may have taken with it when it died.
 */
export async function compareSides(
  runDirectory: string,
  { groups }: Received,
  left: number,
  mayBeLost = 0,
): Promise<Readonly<{ sent: number; dropped: number; lost: number }>> {
  const text = await readFile(join(runDirectory, 'groups.jsonl'), 'utf8');
  const entries = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<{ itemId: string; outcome: string }>);
  const sent = entries.filter(({ outcome }) => outcome === 'sent').map(({ itemId }) => itemId);
  const known = new Set(sent);
  assert.equal(known.size, sent.length, 'a group is noted twice');
  const doubled = [...groups].filter(([, times]) => times > 1).map(([item]) => item);
  assert.deepEqual(doubled, [], 'groups came twice');
  const unknown = [...groups.keys()].filter((item) => !known.has(item));
  assert.deepEqual(unknown, [], 'groups came that are not noted as sent');
  const refused = entries.filter(({ outcome }) => outcome === 'refused');
  assert.deepEqual(refused, [], 'groups were refused, or nobody knows whether they arrived');
  const lost = sent.length - groups.size - left;
  assert.ok(lost >= 0 && lost <= mayBeLost, `the counts of both sides differ by ${lost}`);
  return { sent: sent.length, dropped: entries.length - sent.length, lost };
}
