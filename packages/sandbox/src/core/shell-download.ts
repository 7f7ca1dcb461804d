import type { ExecRequest, ExecResult, FileResult, FileStat } from '../types.ts';
import { transportError } from './errors.ts';
import type { ExecEngine } from './exec-engine.ts';
import type { Download, FileSink } from './file-get.ts';

type Reply = FileResult<FileStat | null>;

/** The output of a command as a download. That it can be read is known at the first byte, or at its good end. */
export async function shellDownload(
  engine: ExecEngine,
  request: ExecRequest,
  sink: FileSink,
  failure: (result: ExecResult) => FileResult<never>,
): Promise<Download> {
  let begun = false;
  let settle: (reply: Reply) => void = () => undefined;
  const begin = () => {
    if (begun) return;
    begun = true;
    sink.begin(null);
    settle({ ok: true, value: null });
  };
  const first = new Promise<Reply>((resolve) => {
    settle = resolve;
  });
  const end = engine.exec({
    ...request,
    onData: (chunk, stream) => {
      if (stream !== 'stdout') return;
      begin();
      sink.data(chunk as Buffer);
    },
    output: { maxBytes: 4096 },
  });
  const ended = end.then((result): Reply => {
    if (result.status !== 'exited' || result.exitCode !== 0) return failure(result);
    begin();
    return { ok: true, value: null };
  });
  const done = ended.then((reply) => {
    if (!reply.ok) throw transportError(`read ${reply.path}: ${reply.code} after the first bytes`);
  });
  done.catch(() => undefined);
  return { reply: Promise.race([first, ended]), done, consumed: () => undefined };
}
