import { DatasetError } from './dataset-error.ts';
import { hasRowFormat } from './row-formats.ts';
import type { DatasetSource, HubSource } from './types.ts';

const EXAMPLES =
  'write a path (rows.jsonl, folder/) or hf://OWNER/NAME[@REVISION][/CONFIG][:SPLIT] or hf://OWNER/NAME[@REVISION]/PATH.parquet';

/** `@refs/convert/parquet` and `@refs/pr/7` are the revisions with slashes that need no `%2F`. */
const HUB =
  /^(?:datasets\/)?(?<id>[\w.-]+\/[\w.-]+?)(?:@(?<revision>refs\/(?:convert|pr)\/[\w.-]+|[^/:]+))?(?:\/(?<place>[^:]+?))?\/?(?::(?<split>[\w.-]+))?$/;

/**
 * Reads what people write for `--dataset`: a path to a file, a path to a folder, or an address on
 * the hub. Does not look whether it is there.
 */
export function parseDatasetSource(text: string): DatasetSource {
  if (text.startsWith('hf://')) return parseHub(text);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) throw unknown(text, 'is no address that is read');
  if (text.trim() === '') throw unknown(text, 'is empty');
  return hasRowFormat(text) ? { kind: 'file', path: text } : { kind: 'folder', path: text };
}

function parseHub(text: string): HubSource {
  const parts = HUB.exec(text.slice('hf://'.length))?.groups;
  if (parts === undefined) throw unknown(text, 'is no dataset of the hub');
  const { id = '', revision, place, split } = parts;
  const isPath = place !== undefined && hasRowFormat(place);
  if (isPath && split !== undefined) throw unknown(text, 'names both a file and a split');
  return {
    kind: 'hub',
    id,
    ...(revision !== undefined && { revision: decode(text, revision) }),
    ...(place !== undefined && (isPath ? { path: place } : { config: configOf(text, place) })),
    ...(split !== undefined && { split }),
  };
}

function configOf(text: string, place: string): string {
  if (!place.includes('/')) return place;
  throw unknown(text, `ends in "${place}", which is neither a config nor a file of rows`);
}

function decode(text: string, revision: string): string {
  try {
    return decodeURIComponent(revision);
  } catch {
    throw unknown(text, `has a revision "${revision}" that is not well encoded`);
  }
}

function unknown(text: string, what: string): DatasetError {
  return new DatasetError('SOURCE', `the dataset "${text}" ${what}; ${EXAMPLES}`);
}
