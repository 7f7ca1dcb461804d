import type { Socket } from 'node:net';
import { TrainerError } from '../trainer-error.ts';

/** An environment that the trainer knows. */
interface Registration {
  readonly groupSize: number;
  /** The server takes a repeated send for the same one when its key is the same. */
  readonly knowsKeys: boolean;
  /**
   * Connections over which the trainer confirmed it. A connection ends with the process at its other end, so what goes over one of these
   * reaches a trainer that knows the environment. A run-api that was started anew must not get data first: it would never start.
   */
  readonly confirmedOn: WeakSet<Socket>;
  /** The highest step seen: a lower one is another run. */
  step: number;
}

export interface Registrations {
  add(environmentId: number, registration: Registration): void;
  /** Throws NOT_REGISTERED. */
  get(environmentId: number): Registration;
  forget(environmentId: number): void;
}

export function createRegistrations(): Registrations {
  const known = new Map<number, Registration>();
  return {
    add: (environmentId, registration) => known.set(environmentId, registration),
    get(environmentId) {
      const registration = known.get(environmentId);
      if (registration === undefined) throw notRegistered(environmentId, 'is not registered');
      return registration;
    },
    forget: (environmentId) => known.delete(environmentId),
  };
}

export function notRegistered(environmentId: number, why: string): TrainerError {
  const message = `Environment ${environmentId} ${why}. Call registerEnvironment (or joinTrainer) and use the id that it gives; nothing was sent.`;
  return new TrainerError('NOT_REGISTERED', message, { retryable: true });
}
