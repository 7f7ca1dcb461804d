import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isExpected } from '@hermes/vitest-config/services';

/** A provider with the variables under which it works in tests. */
export interface Backend {
  readonly name: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Of the image with bash. */
export const dockerVariables: Backend['variables'] = {
  TERMINAL_DOCKER_IMAGE: 'hermes-test/debian:1',
};

const sshdScript = fileURLToPath(new URL('../../../tooling/services/sshd.sh', import.meta.url));

/** The settings of the tests' own ssh server, as its script prints them for a shell. */
export function sshVariables(): Backend['variables'] {
  const text = execFileSync('sh', [sshdScript, 'env'], { encoding: 'utf8' });
  const lines = text.matchAll(/^export (\w+)='?([^'\n]*)'?$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}

/** Every provider that tests can expect here. */
export function expectedBackends(): readonly Backend[] {
  return [
    { name: 'host', variables: {} },
    ...(isExpected('bubblewrap') ? [{ name: 'bubblewrap', variables: {} }] : []),
    ...(isExpected('docker') ? [{ name: 'docker', variables: dockerVariables }] : []),
    ...(isExpected('sshd') ? [{ name: 'ssh', variables: sshVariables() }] : []),
  ];
}
