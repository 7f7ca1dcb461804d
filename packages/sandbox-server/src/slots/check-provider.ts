import { type Capabilities, SandboxError, type SandboxProvider } from '@hermes/sandbox';

/** What the provider proved to be able to do here. Throws CONFIG where it does not work, or isolates nothing and nobody said that this is fine. */
export async function checkProvider(
  provider: SandboxProvider,
  insecureNoSandbox: boolean,
): Promise<Capabilities> {
  const { ok, problems, capabilities } = await provider.preflight();
  if (!ok) {
    const told = problems.map(({ message, fix }) => `${message}. ${fix}`).join('; ');
    throw config(`provider ${provider.id} does not work here: ${told}`);
  }
  if (capabilities.isolation === 'none' && !insecureNoSandbox)
    throw config(
      `provider ${provider.id} isolates nothing here: whoever calls could do what your user can. Choose another provider, or say insecureNoSandbox (--insecure-no-sandbox) if you mean it`,
    );
  return capabilities;
}

function config(message: string): SandboxError {
  return new SandboxError('CONFIG', 'provider', `sandbox server: ${message}`);
}
