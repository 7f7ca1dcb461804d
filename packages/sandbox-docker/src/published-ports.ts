import { SandboxError, type SandboxPorts } from '@hermes/sandbox';
import type { Engine } from './engine.ts';
import { engineError } from './engine-error.ts';
import { ANSWER_MS, limited } from './limited.ts';

/** The ports that a container publishes, as this machine reaches them. */
export function publishedPorts({ docker, publishedHost }: Engine, id: string): SandboxPorts {
  return {
    async expose(port) {
      const { NetworkSettings } = await docker
        .getContainer(id)
        .inspect({ abortSignal: limited(ANSWER_MS) })
        .catch((cause) => Promise.reject(engineError(cause, `expose port ${port}`)));
      const hostPort = NetworkSettings.Ports?.[`${port}/tcp`]?.[0]?.HostPort;
      if (hostPort === undefined) throw notPublished(port);
      return { url: `http://${publishedHost}:${hostPort}`, headers: {} };
    },
  };
}

function notPublished(port: number): SandboxError {
  const message = `expose port ${port}: name it in spec.ports, and leave the network open; Docker publishes ports only when a container is made`;
  return new SandboxError('UNSUPPORTED', 'request', message);
}
