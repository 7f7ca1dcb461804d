import { HermesError, type HermesErrorOptions } from '@hermes/protocol';

/** What can go wrong between an environment and its trainer. The README says for each what to do. */
export type TrainerErrorCode =
  | 'CONFIG'
  | 'CONNECTION'
  | 'TIMEOUT'
  | 'UNAVAILABLE'
  | 'BAD_ANSWER'
  | 'REFUSED'
  | 'NOT_REGISTERED'
  | 'DELIVERY_UNKNOWN'
  | 'CANCELLED'
  | 'PORT_IN_USE'
  | 'LOG_IN_USE'
  | 'LOG_DAMAGED'
  | 'LOG_WRITE';

/** The only error that this package throws. */
export class TrainerError extends HermesError<TrainerErrorCode> {
  constructor(code: TrainerErrorCode, message: string, options?: HermesErrorOptions) {
    super('trainer', code, message, options);
    this.name = 'TrainerError';
  }
}
