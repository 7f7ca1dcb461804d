import type { FileCode } from '@hermes/sandbox';

const SENTENCES: Readonly<Record<FileCode, string>> = {
  FILE_NOT_FOUND: 'File not found',
  NOT_A_DIRECTORY: 'A part of the path is a file, not a directory',
  IS_A_DIRECTORY: 'It is a directory, not a file',
  PERMISSION: 'Permission denied',
  FILE_TOO_LARGE: 'The file is too large',
  NO_SPACE: 'No space left on the disk of the sandbox',
  PATH_ESCAPE: 'The path leads out of the sandbox',
  ALREADY_EXISTS: 'It exists already',
};

/** A file failure as a sentence for the model. */
export function fileErrorText(code: FileCode, path: string): string {
  return `${SENTENCES[code]}: ${path}`;
}
