import { describe, expect, it } from 'vitest';
import { closeInTime, unlessAborted } from '../src/in-time.ts';

const forever = new Promise<never>(() => undefined);

function notes() {
  const written: string[] = [];
  const stderr = {
    write: (text: string) => void written.push(text),
    isTerminal: false,
    columns: 80,
  };
  return { written, context: { stderr, signal: new AbortController().signal } };
}

describe('work that does not look at the signal', () => {
  it('is left as soon as the signal fires, and what comes of it later is put away', async () => {
    const stop = new AbortController();
    let resolve: (text: string) => void = () => undefined;
    const promise = new Promise<string>((settle) => {
      resolve = settle;
    });
    const discarded: string[] = [];
    const waiting = unlessAborted(stop.signal, promise, (late) => discarded.push(late));
    stop.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
    resolve('late');
    await new Promise(setImmediate);
    expect(discarded).toEqual(['late']);
  });

  it('keeps its value and its own error where nothing fires', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(signal, Promise.resolve(1))).toBe(1);
    await expect(unlessAborted(signal, Promise.reject(new Error('own')))).rejects.toThrow('own');
  });
});

describe('closing', () => {
  it('says nothing when it goes well, or there is nothing to close', async () => {
    const { written, context } = notes();
    await closeInTime('it', async () => undefined, context);
    await closeInTime('it', () => undefined, context);
    expect(written).toEqual([]);
  });

  it('tells of what fails or hangs, and goes on', async () => {
    const { written, context } = notes();
    const fail = () => {
      throw new Error('broken');
    };
    await closeInTime('the model', fail, context);
    await closeInTime('the sandbox provider', () => forever, context, 5);
    expect(written).toEqual([
      'warning: closing the model failed: broken\n',
      'warning: closing the sandbox provider failed: no end within 0.005 s\n',
    ]);
  });
});
