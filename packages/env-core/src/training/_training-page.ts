import { basename } from 'node:path';
import { parseLine, readLines } from '../_jsonl-file.ts';

/** A line as any of the formats writes it. */
type Line = Readonly<{
  id: string;
  groupId: string;
  itemId: string;
  reward?: number;
  scores?: readonly number[];
  rollouts?: readonly string[];
  messages?: readonly unknown[];
  conversations?: readonly Readonly<{ from: string; value: string }>[];
  tokens?: readonly unknown[];
  masks?: readonly unknown[];
}>;

/** One trajectory as it is shown. */
type Shown = Readonly<{ name: string; reward: number; turns: readonly Turn[] }>;
type Turn = Readonly<{ who: string; text: string }>;

/** A static page of one or more training files, part by part. Whatever stands in a line is shown as text. */
export async function* trainingPage(paths: readonly string[]): AsyncGenerator<string> {
  yield HEAD;
  let group = -1;
  let item = 0;
  let open: string | null = null;
  for (const path of paths) {
    for await (const read of readLines(path)) {
      const line = parseLine(read) as Line | undefined;
      if (line === undefined) continue;
      if (open !== line.groupId) {
        if (open !== null) yield '</details>\n';
        open = line.groupId;
        group += 1;
        item = 0;
        yield groupHead(group, line, paths.length > 1 ? basename(path) : null);
      }
      for (const shown of trajectoriesOf(line)) {
        yield itemBlock(group, item, shown);
        item += 1;
      }
    }
  }
  if (open !== null) yield '</details>\n';
  yield group < 0 ? '<p>No lines.</p>\n</body>\n</html>\n' : '</body>\n</html>\n';
}

const HEAD = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Trajectories</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
summary { cursor: pointer; font-weight: 600; }
article { border-left: 3px solid #999; margin: 1rem 0; padding: 0 1rem; }
.reward-positive { border-color: #2a7d2a; }
.reward-negative { border-color: #b02a2a; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 1rem; }
</style>
<body>
<h1>Trajectories</h1>
`;

function groupHead(group: number, { itemId }: Line, file: string | null): string {
  const place = file === null ? '' : ` (${escaped(file)})`;
  return `<details id="group-${group}"><summary>Group ${group}: ${escaped(itemId)}${place}</summary>\n`;
}

function itemBlock(group: number, item: number, { name, reward, turns }: Shown): string {
  const kind = reward > 0 ? 'positive' : reward < 0 ? 'negative' : 'zero';
  const anchor = `group-${group}-item-${item}`;
  const blocks = turns.map(
    ({ who, text }) => `<strong>${escaped(who)}</strong>\n<pre>${escaped(text)}</pre>\n`,
  );
  return `<article id="${anchor}" class="reward-${kind}"><p><a href="#${anchor}">${escaped(name)}</a> Reward: ${reward}</p>\n${blocks.join('')}</article>\n`;
}

function trajectoriesOf(line: Line): readonly Shown[] {
  if (line.scores === undefined)
    return [{ name: line.id, reward: line.reward ?? 0, turns: turnsOf(line) }];
  return line.scores.map((reward, place) => ({
    name: line.rollouts?.[place] ?? String(place),
    reward,
    turns: turnsOf({
      messages: listAt(line.messages, place),
      tokens: listAt(line.tokens, place),
      masks: listAt(line.masks, place),
    }),
  }));
}

function turnsOf({
  messages,
  conversations,
  tokens,
  masks,
}: Partial<Pick<Line, 'messages' | 'conversations' | 'tokens' | 'masks'>>): readonly Turn[] {
  if (conversations) return conversations.map(({ from, value }) => ({ who: from, text: value }));
  if (messages && messages.length > 0) return messages.map(messageTurn);
  const sampled = masks?.filter((mask) => mask !== -100).length ?? 0;
  return [{ who: 'tokens', text: `${tokens?.length ?? 0} tokens, ${sampled} of them sampled` }];
}

function messageTurn(message: unknown): Turn {
  const {
    role,
    content,
    tool_calls: calls,
    reasoning_content: reasoning,
  } = message as Readonly<Record<string, unknown>>;
  const parts = [reasoning, content, calls].filter((part) => part !== undefined && part !== '');
  const texts = parts.map((part) =>
    typeof part === 'string' ? part : JSON.stringify(part, null, 2),
  );
  return { who: String(role), text: texts.join('\n\n') };
}

function listAt(lists: readonly unknown[] | undefined, place: number): readonly unknown[] {
  const list = lists?.[place];
  return Array.isArray(list) ? list : [];
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
