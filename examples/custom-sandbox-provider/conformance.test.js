import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSandboxConformance } from '@hermes/sandbox/testing';
import { createSandboxProvider } from './folder-provider.js';

const root = join(tmpdir(), `hermes-folders-${process.pid}`);
describeSandboxConformance({ name: 'folder', open: () => createSandboxProvider({ root }, {}) });
