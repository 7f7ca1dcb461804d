export type { Gsm8kConfig } from './gsm8k/gsm8k.ts';
export { gsm8k } from './gsm8k/gsm8k.ts';
export type { WordProblem } from './gsm8k/read-gsm8k-row.ts';
export type { HumanevalConfig } from './humaneval/humaneval.ts';
export { humaneval } from './humaneval/humaneval.ts';
export type { CodeProblem } from './humaneval/read-humaneval-row.ts';
export type { TerminalTask } from './terminal-test/read-terminal-row.ts';
export type { TerminalTestConfig } from './terminal-test/terminal-test.ts';
export { terminalTest } from './terminal-test/terminal-test.ts';
