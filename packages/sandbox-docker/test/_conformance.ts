import { describeSandboxConformance } from '@hermes/sandbox/testing';
import { isExpected } from '@hermes/vitest-config/services';
import { describe } from 'vitest';
import { createSandboxProvider, type DockerSandboxSettings } from '../src/index.ts';

/** The whole kit on a real daemon. */
export function describeDockerConformance(image: string, supervisor: 'go' | 'sh'): void {
  const settings: DockerSandboxSettings = { image, supervisor };
  describe.runIf(isExpected('docker'))('with a daemon', () => {
    describeSandboxConformance({
      name: `docker (${image}, supervisor ${supervisor})`,
      open: () =>
        createSandboxProvider(settings, {
          openProvider: () => Promise.reject(new Error('no inner provider')),
        }),
      spec: { image: { kind: 'ref', ref: image } },
    });
  });
}
