import type { JsonSchema, ToolSchema } from '@hermes/protocol';

const DESCRIPTION = `Run a command in a Linux shell. Files usually stay from call to call, and so do the working directory, exported variables and functions.

Prefer the file tools where you have them: read_file over cat, head and tail, search_files over grep, find and ls, patch over sed and awk, write_file over echo and heredocs. Keep the shell for builds, installs, git, programs, services and scripts.

Foreground (the default) returns as soon as the command is done, so a generous timeout costs nothing: raise it for builds and installs.
Background (background=true) returns a session id at once: for servers, which never end, and for long tasks. Follow it up with the process tool: poll for a look at it, wait until it is done. It starts with the shell's folder and exported variables.
A command gets no keyboard: no vim, nano or other interactive program in the foreground; use flags such as -y.
In a cloud the sandbox may be made anew: files stay, running processes may not.`;

/** Of a foreground command. */
type Seconds = Readonly<{ usual: number; most: number }>;

/** pty is only offered where a pseudo-terminal can be had. */
export function terminalSchema(offerPty: boolean, seconds: Seconds): ToolSchema {
  const properties = offerPty ? { ...propertiesOf(seconds), pty: PTY } : propertiesOf(seconds);
  const parameters = { type: 'object', properties, required: ['command'] };
  return {
    type: 'function',
    function: { name: 'terminal', description: DESCRIPTION, parameters },
  };
}

const propertiesOf = ({ usual, most }: Seconds): Readonly<Record<string, JsonSchema>> => ({
  command: { type: 'string', description: 'The command line to run' },
  background: {
    type: 'boolean',
    description: 'Start it and return at once with a session id for the process tool',
    default: false,
  },
  timeout: {
    type: 'integer',
    description: `Seconds a foreground command may take (default ${usual}, maximum ${most}). Returns earlier when it is done earlier`,
    minimum: 1,
  },
  workdir: {
    type: 'string',
    description: 'Absolute path of the folder to run in; default: where the shell stands',
  },
});

const PTY: JsonSchema = {
  type: 'boolean',
  description:
    'Give a background command a pseudo-terminal, for interactive programs that you drive with process write and submit',
  default: false,
};
