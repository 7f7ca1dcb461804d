import type { ConfigSchema } from '@hermes/env-core';

/** Stands for an environment that is not known: the file may be that of a run, with keys of its own. */
export const anyKeys: ConfigSchema<unknown> = {
  '~standard': { version: 1, vendor: 'hermes', validate: (value) => ({ value }) },
};
