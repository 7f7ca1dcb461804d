import type { Clock } from '@hermes/protocol';
import type { ByteChannel } from '../types.ts';
import { SandboxError } from '../types.ts';
import { Connection, type ConnectionEvents } from './connection.ts';
import { within } from './deadline.ts';
import { goneError, transportError } from './errors.ts';
import { encodeControl, FRAME, type FrameCodec, type OnFrame } from './frames.ts';
import { parseErrorFrame, parseWelcome, type ResumeOffsets, type Welcome } from './welcome.ts';

const HANDSHAKE_MS = 15_000;
/** Bytes that the supervisor may send per id before the client grants more. */
const RECEIVE_CREDIT = 1_048_576;

export type Greeted = Readonly<{ connection: Connection; welcome: Welcome }>;

/**
 * Greets the supervisor behind `channel`. Later frames go to `events`, and its `onEnd` is called only after
 * a welcome. Throws TRANSPORT, PROTOCOL or AUTH; the channel is destroyed then.
 */
export async function greet(
  channel: ByteChannel,
  codec: FrameCodec,
  clock: Clock,
  hello: Readonly<{ token: string; resume: ResumeOffsets }>,
  events: ConnectionEvents,
): Promise<Greeted> {
  const gate = createGate(events);
  const connection = new Connection(channel, codec, clock, gate.events);
  const greeting = { versions: [1], credit: RECEIVE_CREDIT, ...hello };
  connection.writer.send(encodeControl(codec, FRAME.hello, 0, greeting));
  try {
    const answer = await within(clock, HANDSHAKE_MS, gate.welcome);
    if (answer.late) throw transportError('the supervisor did not answer within 15 s');
    if (connection.ended) throw transportError('the channel ended right after the welcome');
    return { connection, welcome: answer.value };
  } catch (cause) {
    connection.destroy(transportError('the greeting failed', cause));
    throw cause;
  }
}

/** Until the welcome, frames settle the promise; from then on they pass. */
function createGate(
  events: ConnectionEvents,
): Readonly<{ welcome: Promise<Welcome>; events: ConnectionEvents }> {
  let open = false;
  const settle: { resolve?: (welcome: Welcome) => void; reject?: (error: SandboxError) => void } =
    {};
  const welcome = new Promise<Welcome>((resolve, reject) =>
    Object.assign(settle, { resolve, reject }),
  );
  const onFrame: OnFrame = (type, id, payload, before) => {
    if (open) return events.onFrame(type, id, payload, before);
    if (type === FRAME.error) return settle.reject?.(refusal(payload));
    if (type !== FRAME.welcome) return settle.reject?.(transportError('no welcome came first'));
    open = true;
    settle.resolve?.(parseWelcome(payload));
  };
  const onEnd = (error: SandboxError) => (open ? events.onEnd(error) : settle.reject?.(error));
  return { welcome, events: { onFrame, onEnd, onTick: events.onTick } };
}

function refusal(payload: Buffer): SandboxError {
  const { code, message } = parseErrorFrame(payload);
  if (code === 'GONE') return goneError(`the supervisor is gone: ${message}`);
  const known = code === 'AUTH' ? 'AUTH' : 'PROTOCOL';
  return new SandboxError(known, 'sandbox', `the supervisor refused the channel: ${message}`);
}
