import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BuildLog } from '../src/build-log.ts';
import { traceText } from '../src/buildkit-trace.ts';
import { Demultiplexer } from '../src/demultiplexer.ts';
import { manifestUrl, splitReference } from '../src/image-reference.ts';
import { readRetryAfter } from '../src/retry-after.ts';
import { SharedWork } from '../src/shared-work.ts';

function frame(stream: 1 | 2, text: string): Buffer {
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

it('the two streams of a program are told apart wherever the bytes are cut', () => {
  const bytes = Buffer.concat([frame(1, 'one'), frame(2, 'bad'), frame(1, ''), frame(1, 'two')]);
  for (let size = 1; size <= bytes.length; size += 1) {
    const seen = { stdout: '', stderr: '' };
    const demultiplexer = new Demultiplexer();
    for (let at = 0; at < bytes.length; at += size)
      for (const piece of demultiplexer.decode(bytes.subarray(at, at + size)))
        seen[piece.stream] += piece.bytes.toString();
    expect(seen).toEqual({ stdout: 'onetwo', stderr: 'bad' });
  }
});

it('names of steps and log lines are read out of what BuildKit tells', () => {
  const field = (number: number, bytes: Buffer) =>
    Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
  const step = Buffer.concat([field(1, Buffer.from('sha256:1')), field(3, Buffer.from('RUN x'))]);
  const log = Buffer.concat([Buffer.from([3 * 8, 1]), field(4, Buffer.from('hello\n'))]);
  const aux = Buffer.concat([field(1, step), field(3, log)]).toString('base64');
  const told = new Set<string>();
  expect(traceText({ id: 'moby.buildkit.trace', aux }, told)).toBe('RUN x\nhello\n');
  expect(traceText({ id: 'moby.buildkit.trace', aux }, told)).toBe('hello\n');
  expect(traceText({ id: 'moby.image.id', aux: { ID: 'sha256:1' } }, told)).toBe('');
});

it.each([
  ['debian', 'debian', 'latest'],
  ['debian:12', 'debian', '12'],
  ['127.0.0.1:5000/a/b', '127.0.0.1:5000/a/b', 'latest'],
  ['127.0.0.1:5000/a/b:c', '127.0.0.1:5000/a/b', 'c'],
  ['a@sha256:0f', 'a', 'sha256:0f'],
])('the image %s is %s with the tag %s', (ref, fromImage, tag) => {
  expect(splitReference(ref)).toEqual({ fromImage, tag });
});

it.each([
  ['debian', 'https://registry-1.docker.io/v2/library/debian/manifests/latest'],
  ['me/tool:2', 'https://registry-1.docker.io/v2/me/tool/manifests/2'],
  ['ghcr.io/me/tool@sha256:0f', 'https://ghcr.io/v2/me/tool/manifests/sha256:0f'],
  ['localhost:5000/a', 'http://localhost:5000/v2/a/manifests/latest'],
  ['127.0.0.1:5000/a/b:c', 'http://127.0.0.1:5000/v2/a/b/manifests/c'],
])('the registry answers for %s at %s', (ref, url) => {
  expect(manifestUrl(ref)).toBe(url);
});

it.each([
  [null, null],
  ['7', 7000],
  ['Thu, 01 Jan 1970 00:00:09 GMT', 8000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['later', null],
])('a registry that says %s wants %s ms', (text, ms) => {
  expect(readRetryAfter(text, 1000)).toBe(ms);
});

describe('work that is shared', () => {
  const nobody = { signal: undefined, onProgress: undefined };

  it('is done once for all who ask meanwhile, and anew for later ones', async () => {
    const shared = new SharedWork();
    let begun = 0;
    const work = async () => {
      begun += 1;
      await turn();
      return 'done';
    };
    const ask = () => shared.do('a', nobody, work);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['done', 'done', 'done']);
    expect(begun).toBe(1);
    await ask();
    expect(begun).toBe(2);
  });

  it('goes on when one leaves, and stops when all have left', async () => {
    const shared = new SharedWork();
    const [first, second] = [new AbortController(), new AbortController()];
    let stopped: AbortSignal | undefined;
    const work = (_tell: unknown, signal: AbortSignal) => {
      stopped = signal;
      return new Promise<string>(() => undefined);
    };
    const ask = ({ signal }: AbortController) =>
      shared.do('a', { signal, onProgress: undefined }, work).catch(() => 'left');
    const asked = [ask(first), ask(second)];
    first.abort();
    expect(await asked[0]).toBe('left');
    expect(stopped?.aborted).toBe(false);
    second.abort();
    expect(await asked[1]).toBe('left');
    expect(stopped?.aborted).toBe(true);
  });
});

it('a build that told nothing to read has no tail to show', () => {
  const log = new BuildLog();
  expect(log.tail).toBe('');
  expect(log.add({ stream: '\u001b[0m\n' })).toBe('\n');
  expect(log.tail).toBe('');
  log.add({ stream: '\u001b[91mthe reason\u001b[0m\n' });
  expect(log.tail).toBe('; the log ends with:\nthe reason');
});
