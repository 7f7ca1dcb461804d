const MISSING = /not found|manifest unknown|does not exist|no such image/i;
const DENIED = /unauthorized|denied|authentication required|no basic auth credentials/i;
const UNREACHABLE =
  /dial tcp|no such host|connection refused|network is unreachable|no route to host|i\/o timeout|TLS handshake timeout|Client\.Timeout|context deadline exceeded/i;

/** What kept an image from coming, as its registry or the way there says it. */
export type ImageFailure = 'missing' | 'denied' | 'unreachable';

/** Null: none of those. Docker Hub denies what it does not have. */
export function imageFailure(message: string): ImageFailure | null {
  if (DENIED.test(message)) return 'denied';
  if (UNREACHABLE.test(message)) return 'unreachable';
  return MISSING.test(message) ? 'missing' : null;
}

const ADVICE: Readonly<Record<ImageFailure, string>> = {
  missing: 'check the name and the tag, or build it there (docker build --tag NAME .)',
  denied: 'check the name, and log in where it is private (setting registryAuth)',
  unreachable:
    'check the name and the network of the daemon, or bring the image without a registry (docker load, docker build --tag NAME .)',
};

/** The way out, behind the reason. */
export function imageAdvice(failure: ImageFailure | null): string {
  return failure === null ? '' : `; ${ADVICE[failure]}`;
}
