import { programChannel } from './channel.ts';
import type { ScriptResult } from './held-shell.ts';
import { rejectionBy } from './rejection-by.ts';
import { markedCommand, shellError, skipGreeting, textOf } from './remote-shell.ts';
import type { SessionPool } from './session-pool.ts';

const LONGEST_MS = 120_000;

/**
 * Runs a POSIX sh script that reads bytes, in a session of its own, and waits for its end. Its lines must be such that they can be joined by
 * spaces. Throws TRANSPORT when the connection breaks or 120 s are over.
 */
export async function feedScript(
  pool: SessionPool,
  script: string,
  args: readonly string[],
  input: Uint8Array,
): Promise<ScriptResult> {
  const { command, mark } = markedCommand(`printf '%s\\n' "$1"; shift; ${script}`, args);
  const raw = programChannel(await pool.exec(command));
  const late = AbortSignal.timeout(LONGEST_MS);
  const work = async () => {
    const { channel } = await skipGreeting(raw, mark);
    const texts = Promise.all([textOf(channel.stdout), textOf(channel.stderr)]);
    // A script that ended early takes no more input; its exit code says what there is to say.
    await channel.write(input).catch(() => undefined);
    await channel.closeWrite();
    const [[output, errors], { exitCode, error }] = await Promise.all([texts, channel.closed]);
    if (exitCode === null) throw shellError(error ?? 'it ended without a word');
    return { exitCode, output, errors: errors.trim() };
  };
  try {
    return await Promise.race([work(), rejectionBy(late)]);
  } catch (cause) {
    throw late.aborted ? shellError(`it was not done within ${LONGEST_MS} ms`) : cause;
  } finally {
    raw.destroy();
  }
}
