import { expect, it } from 'vitest';
import { nearestName } from '../src/index.ts';

it.each([
  ['bubblewarp', ['local', 'bubblewrap'], 'bubblewrap'],
  ['ROOTDIR', ['rootDir', 'systemPaths'], 'rootDir'],
  ['root', ['isolation', 'rootDir'], 'rootDir'],
  ['termnal', ['terminal', 'terminals'], 'terminal'],
  ['smoke', ['tasks', 'swe-bench'], null],
  ['', ['rootDir'], null],
  ['x', [], null],
])('finds what %j may mean in %j: %j', (name, known, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});
