import type { ContentPart, ResultBudget, Tool, ToolResult } from '@hermes/protocol';
import { previewUnsaved, savedBlock } from './_result-preview.ts';
import { tempFolder } from './_temp-folder.ts';
import { countCodePoints } from './_text.ts';
import type { ToolLimits, ToolResources } from './types.ts';

const NEVER_MOVED = 'read_file';
const DEFAULTS = {
  resultChars: 100_000,
  turnChars: 200_000,
  previewChars: 1_500,
  saveTimeoutMs: 30_000,
};

type Settings = typeof DEFAULTS & Required<Pick<ToolLimits, 'perTool'>>;

/**
 * Keeps long results out of the context: what is longer than its tool may show, or too long for one
 * turn together, goes to a file of the sandbox and leaves a preview with the place. Where it cannot
 * be saved, its beginning and its end stay.
 */
export function createResultBudget(
  resources: ToolResources,
  limits: ToolLimits = {},
): ResultBudget {
  const perTool = { ...limits.perTool, ...resources.limits?.perTool };
  const settings: Settings = { ...DEFAULTS, ...limits, ...resources.limits, perTool };
  const moved = new Set<string>();
  const move = (result: ToolResult, callKey: string, signal: AbortSignal): Promise<ToolResult> => {
    moved.add(callKey);
    return moveText(result, { callKey, signal, resources, settings });
  };

  return {
    async limitResult(result, tool, { callKey, signal }) {
      const isLong = lengthOf(result) > thresholdOf(tool, settings);
      return isLong ? await move(result, callKey, signal) : result;
    },
    async limitTurn(results, signal) {
      const limited = results.map(({ result }) => result);
      let total = limited.reduce((sum, result) => sum + lengthOf(result), 0);
      for (const index of movableBySize(results, moved, settings)) {
        if (total <= settings.turnChars) break;
        const entry = results[index];
        if (entry === undefined) continue;
        const shorter = await move(entry.result, entry.callKey, signal);
        total += lengthOf(shorter) - lengthOf(entry.result);
        limited[index] = shorter;
      }
      return limited;
    },
  };
}

function thresholdOf(tool: Tool | null, { perTool, resultChars }: Settings): number {
  const name = tool?.schema.function.name;
  if (name === NEVER_MOVED) return Number.POSITIVE_INFINITY;
  const own = name !== undefined && Object.hasOwn(perTool, name) ? perTool[name] : undefined;
  return own ?? tool?.maxResultChars ?? resultChars;
}

type Entries = Parameters<ResultBudget['limitTurn']>[0];

/** Longest first; what was moved before, or would not get shorter, is left out. */
function movableBySize(
  results: Entries,
  moved: ReadonlySet<string>,
  { previewChars }: Settings,
): readonly number[] {
  const smallest = 2 * previewChars + 500;
  return results
    .map(({ callKey, result }, index) => ({ index, callKey, length: lengthOf(result) }))
    .filter(({ callKey, length }) => !moved.has(callKey) && length > smallest)
    .sort((one, other) => other.length - one.length)
    .map(({ index }) => index);
}

type Move = Readonly<{
  callKey: string;
  signal: AbortSignal;
  resources: ToolResources;
  settings: Settings;
}>;

async function moveText(result: ToolResult, move: Move): Promise<ToolResult> {
  const text = textOf(result);
  const { previewChars } = move.settings;
  const path = await save(text, move);
  const shown =
    path === null ? previewUnsaved(text, previewChars) : savedBlock(text, path, previewChars);
  return { ...result, content: withText(result.content, shown) };
}

/** null: it could not be saved, for whatever reason. */
async function save(
  text: string,
  { callKey, resources, settings, ...move }: Move,
): Promise<string | null> {
  const signal = AbortSignal.any([move.signal, AbortSignal.timeout(settings.saveTimeoutMs)]);
  const write = async (): Promise<string | null> => {
    const sandbox = await resources.sandbox(signal);
    const path = `${await tempFolder(sandbox, signal)}/hermes-results/${safeName(callKey)}.txt`;
    const written = await sandbox.files.write(path, text);
    return written.ok ? path : null;
  };
  return await Promise.race([write().catch(() => null), whenAborted(signal)]);
}

function whenAborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}

/** One key, one name: what is replaced is spelled out, so that no two keys meet. */
function safeName(callKey: string): string {
  return callKey.replace(/[^A-Za-z0-9.-]/g, (character) =>
    character === '_' ? '__' : `_${character.codePointAt(0)?.toString(16)}_`,
  );
}

function lengthOf(result: ToolResult): number {
  return countCodePoints(textOf(result));
}

function textOf({ content }: ToolResult): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Images stay as they are. */
function withText(content: ToolResult['content'], text: string): string | readonly ContentPart[] {
  if (typeof content === 'string') return text;
  return [{ type: 'text', text }, ...content.filter((part) => part.type !== 'text')];
}
