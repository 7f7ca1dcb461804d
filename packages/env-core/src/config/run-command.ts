/** The commands that read a configuration. */
export type RunCommand = 'evaluate' | 'process' | 'serve';

/** All of them. */
export const runCommands: readonly RunCommand[] = ['evaluate', 'process', 'serve'];
