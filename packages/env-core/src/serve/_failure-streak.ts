import type { Logger } from '@hermes/protocol';

/** Groups in a row that came to nothing: a member could not be had, or the trainer refused them. */
export type FailureStreak = Readonly<{
  /** why null: a group did come to something. */
  note: (why: string | null) => void;
  /** Then only one group is to be tried at a time: what is down is not asked by all. */
  isLong: () => boolean;
}>;

const PATIENCE = 5;

/** Says so once when it gets long. */
export function openFailureStreak(logger: Logger): FailureStreak {
  let length = 0;
  return {
    note: (why) => {
      length = why === null ? 0 : length + 1;
      if (length !== PATIENCE) return;
      const message = `${PATIENCE} groups in a row came to nothing, the last one for ${why}; until one does not, they are tried one at a time`;
      logger.log('warn', message);
    },
    isLong: () => length >= PATIENCE,
  };
}
