import type { ToolSchema } from '@hermes/protocol';

export const readFileSchema: ToolSchema = {
  type: 'function',
  function: {
    name: 'read_file',
    description: `Read a text file with line numbers, a part at a time. Use it rather than cat, head or tail in the terminal. Each line comes as NUMBER|TEXT; lines beyond 2000 characters are cut. Use offset and limit for a large file: more than about 100,000 characters at once are refused. A file that is not there is answered with similar names. Images and other binary files cannot be read with it.`,
    parameters: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          description: 'The file: absolute, from the working directory, or ~/path',
        },
        offset: {
          type: 'integer',
          description: 'The first line to read, counted from 1 (default 1)',
          default: 1,
          minimum: 1,
        },
        limit: {
          type: 'integer',
          description: 'How many lines to read at most (default 500, maximum 2000)',
          default: 500,
          maximum: 2000,
        },
      },
      required: ['path'],
    },
  },
};

export const writeFileSchema: ToolSchema = {
  type: 'function',
  function: {
    name: 'write_file',
    description: `Write a file: the content replaces all that was there, byte for byte, and missing parent folders are made. Use it rather than echo or a heredoc in the terminal. To change a part of a file use patch where you have it.`,
    parameters: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          description:
            'The file to make or to replace: absolute, from the working directory, or ~/path',
        },
        content: { type: 'string', description: 'All that the file shall hold' },
      },
      required: ['path', 'content'],
    },
  },
};
