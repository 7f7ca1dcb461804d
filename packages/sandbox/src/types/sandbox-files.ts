/** Why a file operation did not happen. */
export type FileCode =
  | 'FILE_NOT_FOUND'
  | 'NOT_A_DIRECTORY'
  | 'IS_A_DIRECTORY'
  | 'PERMISSION'
  | 'FILE_TOO_LARGE'
  | 'NO_SPACE'
  | 'PATH_ESCAPE'
  | 'ALREADY_EXISTS';

/** A missing file is a value, not an error. path: what the code is about. */
export type FileResult<T> = Readonly<
  { ok: true; value: T } | { ok: false; code: FileCode; path: string }
>;

/** What a path is. mode: permission bits. linkTarget: null unless it is a link. */
export type FileStat = Readonly<{
  path: string;
  type: 'file' | 'directory' | 'link' | 'other';
  size: number;
  mode: number;
  mtimeMs: number;
  linkTarget: string | null;
}>;

/**
 * Files of a sandbox, as its user unless `user` is given. Relative paths start at `info.workdir`.
 * Writes make parent folders and are atomic. Throws SandboxError only where the sandbox itself fails.
 */
export interface SandboxFiles {
  /** maxBytes: default 100 MiB; beyond it FILE_TOO_LARGE. */
  read(
    path: string,
    options?: Readonly<{ maxBytes?: number; user?: string }>,
  ): Promise<FileResult<Uint8Array>>;
  readStream(path: string): Promise<FileResult<AsyncIterable<Uint8Array>>>;
  /** mode: default that of the file that is there, else 0644. */
  write(
    path: string,
    data: Uint8Array | string | AsyncIterable<Uint8Array>,
    options?: Readonly<{ mode?: number; user?: string }>,
  ): Promise<FileResult<null>>;
  /** Of the path itself: a link is not followed. */
  stat(path: string): Promise<FileResult<FileStat>>;
  list(path: string): Promise<FileResult<readonly FileStat[]>>;
  mkdir(path: string): Promise<FileResult<null>>;
  remove(path: string, options?: { readonly recursive?: boolean }): Promise<FileResult<null>>;
  rename(from: string, to: string): Promise<FileResult<null>>;
  /** Links stay links. */
  uploadTree(
    localDir: string,
    path: string,
    options?: { readonly user?: string },
  ): Promise<FileResult<null>>;
  /** Links stay links; what would land outside of `localDir` (`..`, absolute names) and devices are PATH_ESCAPE. */
  downloadTree(
    path: string,
    localDir: string,
    options?: { readonly maxBytes?: number },
  ): Promise<FileResult<null>>;
}
