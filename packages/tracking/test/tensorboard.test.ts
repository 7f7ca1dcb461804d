import { readdir } from 'node:fs/promises';
import { testEffects } from '@hermes/protocol/testing';
import { isExpected } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { openTracker } from '../src/index.ts';
import { maskedCrc32c } from '../src/tensorboard/crc32c.ts';
import { integerField } from '../src/tensorboard/protobuf.ts';
import { temporaryFolder } from './_folder.ts';
import { askPython } from './_python.ts';
import { fillSmallDisk } from './_small-disk.ts';

it.each([
  // the check value of CRC-32C, and two of RFC 3720, B.4
  ['123456789', Buffer.from('123456789'), 0xe3069283],
  ['32 zeros', Buffer.alloc(32), 0x8a9136aa],
  ['32 bytes of ones', Buffer.alloc(32, 0xff), 0x62a8ab43],
])('knows the checksum of %s', (_name, bytes, crc) => {
  const rotated = ((crc >>> 15) | (crc << 17)) >>> 0;
  expect(maskedCrc32c(bytes)).toBe((rotated + 0xa282ead8) % 2 ** 32);
});

it.each([
  [0, '0800'],
  [127, '087f'],
  [300, '08ac02'],
  [2 ** 40, '08808080808020'],
  [-1, '08ffffffffffffffffff01'],
])('writes the integer %d as protocol buffers do', (value, bytes) => {
  expect(Buffer.from(integerField(1, value)).toString('hex')).toBe(bytes);
});

describe.runIf(isExpected('tensorboard'))('event files, read by TensorBoard', () => {
  it('have every number at its step and time, and tables as text', async () => {
    const folder = await temporaryFolder();
    const tracker = openTracker({ tensorBoard: { folder } }, testEffects());
    tracker.write(0, 1_000_250, { 'eval/pass_rate': 0.75 });
    tracker.write(3, 2_000_000, { 'train/avg_reward': -1.5, 'eval/pass_rate': 1 });
    tracker.write(2 ** 40, 3_000_000, { größe: 1e30 });
    tracker.table?.(
      'train/rollouts',
      3,
      ['text', 'score'],
      [
        ['[USER]\nHällo', 1],
        ['', null],
      ],
    );
    tracker.summary({ cost: 0.5 });
    await tracker.close();
    expect(await askPython('read-events.py', [folder])).toEqual({
      records: 6,
      scalars: {
        'eval/pass_rate': [
          [0, 1000.25, 0.75],
          [3, 2000, 1],
        ],
        'train/avg_reward': [[3, 2000, -1.5]],
        größe: [[2 ** 40, 3000, Math.fround(1e30)]],
        cost: [[2 ** 40, 1_767_225_600, 0.5]],
      },
      texts: {
        'train/rollouts': [[3, [3, 2], ['text', 'score', '[USER]\nHällo', '1', '', '']]],
      },
    });
  }, 60_000);

  it('are one run where several processes wrote one after the other', async () => {
    const folder = await temporaryFolder();
    for (const step of [1, 2]) {
      const effects = testEffects();
      await effects.clock.advance(step * 1000);
      const tracker = openTracker({ tensorBoard: { folder } }, effects);
      tracker.write(step, step * 1000, { value: step });
      await tracker.close();
    }
    expect(await readdir(folder)).toHaveLength(2);
    expect(await askPython('read-events.py', [folder])).toMatchObject({
      scalars: {
        value: [
          [1, 1, 1],
          [2, 2, 2],
        ],
      },
    });
  }, 60_000);

  it('end with a whole record when the disk is full in the middle of one', async () => {
    const folder = await temporaryFolder();
    const { written, failures } = await fillSmallDisk('tensorboard', folder);
    expect(failures).toEqual(['EFBIG', 'EFBIG', 'EFBIG']);
    expect(written).toBeGreaterThan(10);
    expect(await askPython('read-events.py', [folder])).toMatchObject({ records: written + 1 });
  }, 60_000);
});
