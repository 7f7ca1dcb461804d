import { HermesError, type HermesErrorOptions } from '@hermes/protocol';

/** What can go wrong with a dataset. */
export type DatasetErrorCode =
  | 'SOURCE'
  | 'NOT_FOUND'
  | 'FORMAT'
  | 'COLUMN_MISSING'
  | 'AUTH'
  | 'OFFLINE'
  | 'CONNECTION'
  | 'HUB'
  | 'CACHE'
  | 'CLOSED'
  | 'CANCELLED';

/** The only error of this package: one sentence on what is wrong and what to do. */
export class DatasetError extends HermesError<DatasetErrorCode> {
  constructor(code: DatasetErrorCode, message: string, options?: HermesErrorOptions) {
    super('data', code, message, options);
    this.name = 'DatasetError';
  }
}
