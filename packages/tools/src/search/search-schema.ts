import type { ToolSchema } from '@hermes/protocol';

export const searchFilesSchema: ToolSchema = {
  type: 'function',
  function: {
    name: 'search_files',
    description: `Search in files, or for files by name. Use it rather than grep, rg, find or ls in the terminal.

target=content (the default): lines that match a regular expression, with path and line number. output_mode=files_only gives only the paths, count the number of matching lines for each; file_glob limits it to some files (*.py, src/**/*.ts); context adds the lines around.
target=files: files whose name matches a glob (*.py, test_*, src/**/*.json), the newest first.

Binary files are left out, and so are names that begin with a dot, unless path or glob names them. Long answers come in parts: go on with offset.`,
    parameters: {
      type: 'object',
      properties: {
        pattern: {
          type: 'string',
          description: 'A regular expression (target=content) or a glob (target=files)',
        },
        target: {
          type: 'string',
          enum: ['content', 'files'],
          default: 'content',
          description: 'content: in files. files: for files',
        },
        path: {
          type: 'string',
          default: '.',
          description: 'The folder or file to search in (default: the working directory)',
        },
        file_glob: {
          type: 'string',
          description: 'Only files that match this glob (target=content)',
        },
        limit: {
          type: 'integer',
          default: 50,
          minimum: 1,
          description: 'The most results (default 50)',
        },
        offset: {
          type: 'integer',
          default: 0,
          minimum: 0,
          description: 'Results to skip (default 0)',
        },
        output_mode: {
          type: 'string',
          enum: ['content', 'files_only', 'count'],
          default: 'content',
          description: 'What to show of the matches (target=content)',
        },
        context: {
          type: 'integer',
          default: 0,
          minimum: 0,
          description: 'Lines to show before and after each match (target=content)',
        },
      },
      required: ['pattern'],
    },
  },
};
