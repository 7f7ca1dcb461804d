import { DatasetError, type DatasetErrorCode } from '../dataset-error.ts';
import type { HubContext } from './hub-context.ts';

const RETRYABLE: ReadonlySet<number> = new Set([408, 429]);

/** What a request was about, for the words of its error. */
export type HubSubject = Readonly<{ id: string; revision: string; path?: string }>;

/** The error behind an answer of the hub that is no success. */
export function hubAnswerError(
  context: HubContext,
  subject: HubSubject,
  response: Response,
): DatasetError {
  const known = KNOWN[response.headers.get('x-error-code') ?? ''] ?? BY_STATUS[response.status];
  if (known) return known(context, subject);
  return error(
    'HUB',
    `${context.endpoint} answered ${response.status} for ${describe(subject)}; try again later`,
    RETRYABLE.has(response.status) || response.status >= 500,
  );
}

/** The hub was not reached, or an answer broke off. */
export function hubConnectionError(
  context: HubContext,
  subject: HubSubject,
  cause: unknown,
): DatasetError {
  return new DatasetError(
    'CONNECTION',
    `${context.endpoint} could not be read for ${describe(subject)} (${reasonOf(cause)}); check the network and the endpoint`,
    { cause, retryable: true },
  );
}

/** `hf://owner/name@revision/path`. */
export function describe(subject: HubSubject): string {
  const path = subject.path === undefined ? '' : `/${subject.path}`;
  return `hf://${subject.id}@${subject.revision}${path}`;
}

type MakeError = (context: HubContext, subject: HubSubject) => DatasetError;

const KNOWN: Readonly<Record<string, MakeError>> = {
  GatedRepo: gated,
  RepoNotFound: noDataset,
  RevisionNotFound: noRevision,
  EntryNotFound: noFile,
};

/** Without a code of the hub. Once its listing was read, a dataset is there. */
const BY_STATUS: Readonly<Record<number, MakeError>> = {
  401: (context, subject) => (subject.path === undefined ? noDataset : gated)(context, subject),
  403: gated,
  404: (context, subject) => (subject.path === undefined ? noDataset : noFile)(context, subject),
};

function gated(context: HubContext, subject: HubSubject): DatasetError {
  const page = `${context.endpoint}/datasets/${subject.id}`;
  return error(
    'AUTH',
    context.token === null
      ? `the dataset ${subject.id} is gated: accept its terms at ${page} and give an access token (HF_TOKEN)`
      : `the access token does not open the gated dataset ${subject.id}: accept its terms at ${page} with the token's account`,
  );
}

function noDataset(context: HubContext, subject: HubSubject): DatasetError {
  const way =
    context.token === null
      ? 'check the name, or give an access token (HF_TOKEN) if it is private'
      : 'check the name, and whether the access token is valid and may read it';
  return error('NOT_FOUND', `there is no dataset ${subject.id} at ${context.endpoint}: ${way}`);
}

function noRevision(_context: HubContext, subject: HubSubject): DatasetError {
  return error(
    'NOT_FOUND',
    `the dataset ${subject.id} has no revision "${subject.revision}"; name a branch, a tag or a commit of it`,
  );
}

function noFile(_context: HubContext, subject: HubSubject): DatasetError {
  return error('NOT_FOUND', `there is no ${describe(subject)}; check the path`);
}

function error(code: DatasetErrorCode, message: string, retryable = false): DatasetError {
  return new DatasetError(code, message, { retryable });
}

/** fetch hides the reason one level below. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause;
  if (inner instanceof Error) return ('code' in inner && String(inner.code)) || inner.message;
  return cause.message;
}
