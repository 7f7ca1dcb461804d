import { afterEach, beforeEach, expect, vi } from 'vitest';

const methods = ['log', 'info', 'warn', 'error', 'debug'];
let written = [];

beforeEach(() => {
  written = [];
  for (const method of methods) {
    vi.spyOn(console, method).mockImplementation((...args) => {
      written.push([method, ...args]);
    });
  }
});

afterEach(() => {
  expect(written, 'a test wrote to the console').toEqual([]);
});
