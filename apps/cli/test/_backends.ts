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

/** A pool of slots inside of another provider. */
export interface PooledBackend extends Backend {
  readonly inner: string;
}

/** Every pool that tests can expect here. On a host, making namespaces takes its root. */
export function expectedPools(): readonly PooledBackend[] {
  const name = 'slot-pool';
  const onHost = () => ({ ...sshVariables(), TERMINAL_SSH_USER: 'root' });
  return [
    ...(isExpected('docker') ? [{ name, inner: 'docker', variables: dockerVariables }] : []),
    ...(isExpected('sshd') ? [{ name, inner: 'ssh', variables: onHost() }] : []),
  ];
}
