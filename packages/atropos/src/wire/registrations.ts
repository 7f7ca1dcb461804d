import { bodyPlace, type Issue, issueOf } from './issues.ts';
import { JsonReader } from './json-reader.ts';
import { expectEnd, type Field, readModel } from './read-model.ts';
import type { ReadBody } from './scored-data.ts';
import { nullable, type Writer, writeFloat, writeInt, writeString } from './writers.ts';

/** The body of `/register`, in the names of the wire. */
export type TrainerBody = Readonly<{
  wandb_group: string;
  wandb_project: string;
  batch_size: number;
  max_token_len: number;
  checkpoint_dir: string;
  save_checkpoint_interval: number;
  starting_step: number;
  num_steps: number;
}>;

/** The body of `/register-env`. */
export type EnvironmentBody = Readonly<{
  max_token_length: number;
  desired_name: string;
  weight: number;
  group_size: number;
  min_batch_allocation: number | null;
}>;

const trainerFields = declare({
  wandb_group: writeString,
  wandb_project: writeString,
  batch_size: writeInt,
  max_token_len: writeInt,
  checkpoint_dir: writeString,
  save_checkpoint_interval: writeInt,
  starting_step: writeInt,
  num_steps: writeInt,
});

const environmentFields: readonly Field[] = [
  ...declare({
    max_token_length: writeInt,
    desired_name: writeString,
    weight: writeFloat,
    group_size: writeInt,
  }),
  { name: 'min_batch_allocation', isRequired: false, write: nullable(writeFloat) },
];

const identifierFields = declare({ env_id: writeInt });

type Reader<T> = (body: Uint8Array) => ReadBody<T>;

export const readTrainerBody: Reader<TrainerBody> = readerOf(trainerFields);
export const readEnvironmentBody: Reader<EnvironmentBody> = readerOf(environmentFields);
export const readIdentifierBody: Reader<Readonly<{ env_id: number }>> = readerOf(identifierFields);

function declare(writers: Readonly<Record<string, Writer>>): readonly Field[] {
  return Object.entries(writers).map(([name, write]) => ({ name, isRequired: true, write }));
}

function readerOf<T>(fields: readonly Field[]): Reader<T> {
  return (body) => {
    const reader = new JsonReader(body);
    const issues: Issue[] = [];
    const model = readModel(reader, fields, bodyPlace, issues);
    expectEnd(reader);
    if (!reader.isFinite) issues.push(issueOf('finite_number', bodyPlace, null));
    if (model === null || issues.length > 0) return { issues };
    return { value: JSON.parse(model.json.toString()) as T };
  };
}
