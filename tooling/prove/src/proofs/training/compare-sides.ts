import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Received } from './trainer-side.ts';

/**
 * What the environment has written down beside what has arrived. left: groups that make no batch, which nobody can look into. mayBeLost: how
 * many acknowledged groups a server without a log may have taken with it when it died; of the one that was under way then nobody knows
 * whether it arrived.
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
    .map(
      (line) =>
        JSON.parse(line) as Readonly<{ itemId: string; outcome: string; reason: string | null }>,
    );
  const sent = entries.filter(({ outcome }) => outcome === 'sent').map(({ itemId }) => itemId);
  const known = new Set(sent);
  assert.equal(known.size, sent.length, 'a group is noted twice');
  const doubled = [...groups].filter(([, times]) => times > 1).map(([item]) => item);
  assert.deepEqual(doubled, [], 'groups came twice');
  const refused = entries.filter(({ outcome }) => outcome === 'refused');
  const isOpen = mayBeLost > 0 && refused.length === 1 && refused[0]?.reason === 'delivery_unknown';
  const open = isOpen ? refused.map(({ itemId }) => itemId) : [];
  const unknown = [...groups.keys()].filter((item) => !known.has(item) && !open.includes(item));
  assert.deepEqual(unknown, [], 'groups came that are not noted as sent');
  assert.equal(refused.length, open.length, `groups were refused: ${JSON.stringify(refused)}`);
  const arrived = [...groups.keys()].filter((item) => known.has(item));
  const lost = sent.length - arrived.length - left;
  assert.ok(lost >= 0 && lost <= mayBeLost, `the counts of both sides differ by ${lost}`);
  return { sent: sent.length, dropped: entries.length - sent.length - refused.length, lost };
}
