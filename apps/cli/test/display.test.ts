import { describe, expect, it } from 'vitest';
import {
  formatCost,
  formatCount,
  formatDuration,
  formatNumber,
  formatPercent,
} from '../src/display/format.ts';
import { statusLine } from '../src/display/live-display.ts';
import { formatTable } from '../src/display/table.ts';

describe('what a watcher sees', () => {
  it('shows all counts, tokens, cost and the time left in one line', () => {
    const progress = {
      planned: 40,
      resumed: 8,
      running: 4,
      verifying: 1,
      passed: 5,
      failed: 2,
      errored: 1,
      tokens: 12_345,
      costUsd: 0.5,
    };
    expect(statusLine(progress, 60_000)).toBe(
      '[#####-------] 16/40 · waiting 20 · running 3 · verifying 1 · passed 5 · failed 2 · errored 1 · 12.3k tokens · $0.5000 · 3:00 left',
    );
  });

  it('says how long it has been while nothing is finished', () => {
    const nothing = {
      planned: 2,
      resumed: 0,
      running: 2,
      verifying: 0,
      passed: 0,
      failed: 0,
      errored: 0,
      tokens: 0,
      costUsd: 0,
    };
    expect(statusLine(nothing, 5000)).toContain('0:05 so far');
  });

  it('never shows an unknown number as 0', () => {
    expect([formatCount(null), formatCost(null), formatPercent(null)]).toEqual(['?', '$?', '-']);
  });

  it('writes numbers as people read them', () => {
    expect([
      formatDuration(95_000),
      formatDuration(3_700_000),
      formatCount(999),
      formatCount(1_234_567),
      formatCost(12),
      formatPercent(0.8125),
    ]).toEqual(['1:35', '1:01:40', '999', '1.2M', '$12.00', '81.3 %']);
  });

  it('aligns times to the right', () => {
    expect(formatTable(['time'], [['0.5 s'], ['12.5 s'], ['-']]).split('\n')).toEqual([
      '  time',
      '------',
      ' 0.5 s',
      '12.5 s',
      '     -',
    ]);
  });

  it('aligns words to the left and numbers to the right', () => {
    expect(
      formatTable(
        ['task', 'reward'],
        [
          ['a', '1.00'],
          ['longer', '10.00'],
        ],
      ),
    ).toBe(['task    reward', '------  ------', 'a         1.00', 'longer   10.00'].join('\n'));
  });
});

describe('names of others', () => {
  it('stay in their column, however wide, and cannot move the cursor', () => {
    const table = formatTable(
      ['task', 'n'],
      [
        ['漢字', '1'],
        ['a\u001b[2Jb\nc', '22'],
        ['é', '3'],
      ],
    );
    expect(table.split('\n')).toEqual([
      'task             n',
      '--------------  --',
      '漢字             1',
      'a\\u001b[2Jb\\nc  22',
      'é                3',
    ]);
  });
});

it.each([
  [1 / 6, '0.1667'],
  [0.5, '0.5'],
  [18, '18'],
  [-0.00001, '0'],
])('shows the metric %d as %s', (value, shown) => {
  expect(formatNumber(value)).toBe(shown);
});
