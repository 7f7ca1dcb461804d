import { PassThrough } from 'node:stream';
import { binaryCodec } from '../src/core/binary-codec.ts';
import { encodeControl, FRAME } from '../src/core/frames.ts';
import type { ByteChannel } from '../src/index.ts';

type ReceivedFrame = Readonly<{ type: number; id: number; payload: Buffer }>;

/** A supervisor in this process, which does what a test tells it, or nothing. */
export type ScriptedSupervisor = Readonly<{
  channel: ByteChannel;
  received: ReceivedFrame[];
  send: (type: number, id: number, value: unknown) => void;
  /** From now on no ping is answered. */
  fallSilent: () => void;
}>;

const welcome = {
  version: 1,
  supervisor: 'test',
  os: 'linux',
  arch: 'test',
  boot: 'b',
  pid: 1,
  uid: 0,
  features: ['credit', 'reconnect', 'subreaper', 'files', 'sessions'],
  running: [],
  credit: 1_048_576,
};

export function scriptedSupervisor(): ScriptedSupervisor {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const received: ReceivedFrame[] = [];
  let silent = false;
  let close: (ended: { exitCode: number | null; error: string | null }) => void = () => undefined;
  const closed: ByteChannel['closed'] = new Promise((resolve) => {
    close = resolve;
  });
  const send = (type: number, id: number, value: unknown) =>
    void stdout.write(encodeControl(binaryCodec, type, id, value));
  const end = () => {
    stdout.end();
    stderr.end();
    close({ exitCode: 0, error: null });
  };
  const decode = binaryCodec.createDecoder((type, id, payload) => {
    received.push({ type, id, payload: Buffer.from(payload) });
    if (type === FRAME.hello) send(FRAME.welcome, 0, welcome);
    else if (type === FRAME.shutdown) end();
    else if (type === FRAME.ping && !silent)
      stdout.write(binaryCodec.encode(FRAME.pong, 0, payload));
  });
  const channel: ByteChannel = {
    stdout,
    stderr,
    write: async (bytes) => decode(bytes),
    closeWrite: async () => undefined,
    closed,
    destroy: end,
  };
  const fallSilent = () => {
    silent = true;
  };
  return { channel, received, send, fallSilent };
}
