import * as z from 'zod';

/** How a configuration says where problems come from. */
export type DatasetKeys = Readonly<{
  /** A file, a folder, an address `hf://OWNER/NAME`, or `builtin`. */
  dataset?: string | undefined;
  /** The same in older configurations, where `OWNER/NAME` is a data set of the hub. `dataset` wins over it. */
  datasetName?: string | null | undefined;
  /** The split of a data set of the hub. An address that names one wins over it. */
  datasetSplit?: string | undefined;
}>;

type Text = z.ZodOptional<z.ZodString>;
type TextOrNull = z.ZodOptional<z.ZodNullable<z.ZodString>>;

/** These keys in a schema. */
export const datasetKeys: Readonly<{
  dataset: Text;
  datasetName: TextOrNull;
  datasetSplit: Text;
}> = {
  dataset: z
    .string()
    .min(1)
    .optional()
    .describe('the problems: a file, a folder, hf://OWNER/NAME on the hub, or builtin'),
  datasetName: z
    .string()
    .min(1)
    .nullish()
    .describe('the same in older configurations: OWNER/NAME on the hub; dataset wins over it'),
  datasetSplit: z
    .string()
    .min(1)
    .optional()
    .describe('the split of a data set of the hub, where its address names none'),
};

/** Those that only say where something lies; another split is other data. */
export const datasetPlaces: readonly string[] = ['dataset', 'datasetName'];
