import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSandboxConformance } from '@hermes/sandbox/testing';
import { afterAll } from 'vitest';
import { createSandboxProvider } from './folder-provider.js';

const root = join(tmpdir(), `hermes-folders-${process.pid}`);

afterAll(() => rm(root, { recursive: true, force: true }));
describeSandboxConformance({ name: 'folder', open: () => createSandboxProvider({ root }, {}) });
