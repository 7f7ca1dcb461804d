import type { ToolSchema } from '@hermes/protocol';

export const patchSchema: ToolSchema = {
  type: 'function',
  function: {
    name: 'patch',
    description: `Change files by what is in them. Use it rather than sed or awk in the terminal.

mode=replace (the default): old_string in the file at path is replaced by new_string. Differences in blanks, indentation and quotes are forgiven; the rest of the file stays byte for byte. The text must fit one place only: give some lines around it, or set replace_all=true.

mode=patch: several changes in several files at once, all or none of them:
*** Begin Patch
*** Update File: path/to/file
@@ a line above the place @@
 a line that stays
-a line that goes
+a line that comes
*** Add File: path/to/new
+each line with a plus
*** Delete File: path/to/old
*** Move File: from/path -> to/path
*** End Patch

The answer has a unified diff and, for programs, whether the syntax is right. When nothing fits, nothing is changed and the nearest place is shown.`,
    parameters: {
      type: 'object',
      properties: {
        mode: {
          type: 'string',
          enum: ['replace', 'patch'],
          default: 'replace',
          description: 'replace: one text in one file. patch: a patch over several files',
        },
        path: { type: 'string', description: 'The file to change (mode replace)' },
        old_string: {
          type: 'string',
          description:
            'The text to replace, with enough lines around it to fit one place (mode replace)',
        },
        new_string: {
          type: 'string',
          description: 'What comes in its place; empty to remove it (mode replace)',
        },
        replace_all: {
          type: 'boolean',
          default: false,
          description: 'Replace every place instead of the only one (mode replace)',
        },
        patch: { type: 'string', description: 'The patch (mode patch)' },
      },
      required: ['mode'],
    },
  },
};
