import type { Clock, JsonObject, Logger } from '@hermes/protocol';

/** A file of rows: `.jsonl`, `.ndjson`, `.json`, `.csv`, `.tsv` (each also with `.gz`) or `.parquet`. */
export type FileSource = Readonly<{
  kind: 'file';
  path: string;
  /** Only these columns; each must be in every row. Absent: all. */
  columns?: readonly string[];
}>;

/** A folder of such files, read one after the other in the order of their paths. */
export type FolderSource = Readonly<{
  kind: 'folder';
  path: string;
  columns?: readonly string[];
}>;

/** A dataset on the Hugging Face hub. */
export type HubSource = Readonly<{
  kind: 'hub';
  /** `owner/name`. */
  id: string;
  /** A named subset. Absent: the only one, else `default`, else an error that lists them. */
  config?: string;
  /** `train`, `test`, ... Absent: the only one, else an error that lists them. */
  split?: string;
  /** Branch, tag or commit. Default `main`; a commit pins the data for good. */
  revision?: string;
  /** One file of the repository, instead of a config and a split. */
  path?: string;
  columns?: readonly string[];
}>;

/** Where rows come from. */
export type DatasetSource = FileSource | FolderSource | HubSource;

/** An opened dataset. */
export interface Dataset {
  /** The commit on the hub, or `sha256:` and the digest of the content: part of a run's identity. */
  readonly revision: string;
  /** Number of rows; null = only known after reading all of them. */
  readonly length: number | null;
  /**
   * Rows from `start` (default 0) on; may be called any number of times, also at once. Throws a
   * `DatasetError` that names file and line; `CANCELLED` when the signal fires.
   */
  rows(start?: number, signal?: AbortSignal): AsyncIterable<JsonObject>;
  /** Idempotent. Running iterations end with `CLOSED`. */
  close(): Promise<void>;
}

/** Everything that a dataset takes from outside. */
export type DatasetOptions = Readonly<{
  /** The hub's cache, shared with Python's `huggingface_hub`. Default `~/.cache/huggingface/hub`. */
  cacheDir?: string;
  /** Never speak to the hub: what is not in the cache is an error that names it. Default false. */
  offline?: boolean;
  /** The hub's access token, for gated and private datasets. */
  token?: string;
  /** Default `https://huggingface.co`. */
  endpoint?: string;
  /** Default the global one. */
  fetch?: typeof fetch;
  /** For deadlines and waits between attempts. Default the clock of this machine. */
  clock?: Clock;
  /** Told of downloads. Default: nobody. */
  logger?: Logger;
  /** Ends the opening, downloads included. */
  signal?: AbortSignal;
}>;
