/** What the exit code of `hermes` means. */
export const exitCodes = {
  /** It ran; failed and errored trials are results, not failures of the command. */
  ran: 0,
  /** The run itself failed: a full disk, no trial that could be scored, an unexpected error. */
  runFailed: 1,
  /** Wrong usage or configuration; nothing was started. */
  wrongUsage: 2,
  /** SIGINT, SIGTERM or SIGHUP (the terminal was closed), after a clean shutdown. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
