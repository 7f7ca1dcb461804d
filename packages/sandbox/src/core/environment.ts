/** Keeps programs from asking a person anything. A caller's own values win. */
const NON_INTERACTIVE_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
  TERM: 'dumb',
};

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

type Variables = Readonly<Record<string, string>>;

/**
 * The environment that every command of a sandbox starts from: the defaults, then the image's or driver's own,
 * then the spec's. Nothing of the harness's environment is in it.
 */
export function baseEnvironment(
  home: string,
  ...layers: readonly (Variables | undefined)[]
): Variables {
  const defaults = { PATH: DEFAULT_PATH, HOME: home, LANG: 'C.UTF-8' };
  return Object.assign({}, NON_INTERACTIVE_ENVIRONMENT, defaults, ...layers);
}

/** The home folder of a user by name, where nobody said another. */
export function homeOf(user: string): string {
  return user === 'root' || user === '0' ? '/root' : `/home/${user}`;
}
