import { HermesError } from '@hermes/protocol';
import { DatasetError } from './dataset-error.ts';
import { checkId, checkPath, checkRevision } from './hub/check-names.ts';
import { downloadFile } from './hub/download-file.ts';
import { createHubContext, type HubContext } from './hub/hub-context.ts';
import { describe, type HubSubject } from './hub/hub-errors.ts';
import { listTree, type TreeFile } from './hub/list-tree.ts';
import { notCached, resolveCommit } from './hub/resolve-commit.ts';
import { selectFiles } from './hub/select-files.ts';
import type { LocalFiles } from './open-file.ts';
import { rowFormat } from './row-formats.ts';
import type { DatasetOptions, HubSource } from './types.ts';

/** Where the hub keeps every dataset as parquet, one folder a config and split. */
const CONVERTED = 'refs/convert/parquet';

/** Finds the files of a source on the hub, downloads them, and names the commit they are of. */
export async function openHub(
  source: HubSource,
  options: DatasetOptions,
  signal: AbortSignal,
): Promise<LocalFiles> {
  const context = createHubContext(options, signal);
  return fetchFiles(context, source).catch((error) => {
    throw inWords(context, source.id, error);
  });
}

async function fetchFiles(context: HubContext, source: HubSource): Promise<LocalFiles> {
  const chosen = await chooseFiles(context, source);
  const files = [];
  for (const file of chosen.files) {
    const path = await downloadFile(context, source.id, chosen.commit, file);
    const label = describe({ id: source.id, revision: chosen.commit, path: file.path });
    files.push({ path, label, columns: source.columns });
  }
  return { files, revision: chosen.commit };
}

type Chosen = Readonly<{ commit: string; files: readonly TreeFile[] }>;

/** The repository's own files where their names tell config and split, else the hub's conversion of them. */
async function chooseFiles(context: HubContext, source: HubSource): Promise<Chosen> {
  const subject = checkSource(source);
  try {
    return await chooseAt(context, source, subject);
  } catch (error) {
    const isUnpinned = source.revision === undefined || source.revision === 'main';
    if (!isUnpinned || source.path !== undefined || !isNoSplit(error)) throw error;
    return chooseConverted(context, source, error);
  }
}

async function chooseConverted(
  context: HubContext,
  source: HubSource,
  original: HermesError,
): Promise<Chosen> {
  try {
    return await chooseAt(context, source, { id: source.id, revision: CONVERTED });
  } catch (error) {
    const hasNone = HermesError.isInstance(error) && ['NOT_FOUND', 'OFFLINE'].includes(error.code);
    throw hasNone && !isNoSplit(error) ? original : error;
  }
}

async function chooseAt(
  context: HubContext,
  source: HubSource,
  subject: HubSubject,
): Promise<Chosen> {
  const commit = await resolveCommit(context, subject);
  const tree = await listTree(context, subject, commit);
  const paths = source.path
    ? [source.path]
    : selectFiles(
        subject,
        tree.map((file) => file.path),
        source,
      );
  return { commit, files: paths.map((path) => findFile(context, subject, commit, tree, path)) };
}

function findFile(
  context: HubContext,
  subject: HubSubject,
  commit: string,
  tree: readonly TreeFile[],
  path: string,
): TreeFile {
  const file = tree.find((each) => each.path === path);
  if (file) return file;
  if (context.offline) throw notCached({ ...subject, path }, `${commit}/${path}`);
  const near = tree.filter((each) => each.path.split('/').pop() === path.split('/').pop());
  const hint = near.length > 0 ? `did you mean ${near[0]?.path}?` : 'check the path';
  throw new DatasetError('NOT_FOUND', `there is no file ${path} in ${describe(subject)}; ${hint}`);
}

function checkSource(source: HubSource): HubSubject {
  if (source.path !== undefined) rowFormat(checkPath(source.path));
  return { id: checkId(source.id), revision: checkRevision(source.revision ?? 'main') };
}

/** Only a dataset without the wanted split is looked for in the conversion; a lost connection is not. */
function isNoSplit(error: unknown): error is HermesError {
  return (
    HermesError.isInstance(error) &&
    error.code === 'NOT_FOUND' &&
    'present' in (error.details ?? {})
  );
}

/** What is no error of ours comes from the file system, or from an answer that the hub's library cannot read. */
function inWords(context: HubContext, id: string, error: unknown): unknown {
  if (HermesError.isInstance(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return error instanceof Error && 'syscall' in error
    ? new DatasetError(
        'CACHE',
        `the cache ${context.cacheDir} cannot be used (${reason}); mend that, or choose another folder`,
        { cause: error },
      )
    : new DatasetError(
        'HUB',
        `${context.endpoint} answered for ${id} with something that is no listing of a hub (${reason}); is the endpoint right?`,
        { cause: error },
      );
}
