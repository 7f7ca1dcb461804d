import type { CopiedFile, Dockerfile } from '../types.ts';
import { absolute, addFolders, planCopy } from './_copy.ts';
import { hasEscapeDirective, type Instruction, splitInstructions } from './_instructions.ts';
import { NotSimple, NoWorkdirYet, words } from './_words.ts';

/** Reads a Dockerfile. contextDir: where COPY takes its files from. What only an image builder can do gives `other`, with the line. */
export async function parseDockerfile(text: string, contextDir: string): Promise<Dockerfile> {
  if (hasEscapeDirective(text)) return { kind: 'other', reason: 'an escape directive' };
  const state = emptyState(contextDir);
  for (const instruction of splitInstructions(text)) {
    try {
      await follow(instruction, state);
    } catch (error) {
      if (!(error instanceof NotSimple)) throw error;
      return refused(instruction.line, error);
    }
  }
  return finish(state);
}

function refused(line: number, error: NotSimple): Dockerfile {
  const refusal = { kind: 'other', reason: `line ${line}: ${error.message}` } as const;
  const isFixable = error instanceof NoWorkdirYet;
  return isFixable ? { ...refusal, fix: `add WORKDIR /app before line ${line}` } : refusal;
}

type State = {
  readonly contextDir: string;
  readonly beforeFrom: Map<string, string>;
  readonly scope: Map<string, string>;
  readonly env: Map<string, string>;
  readonly directories: Set<string>;
  readonly files: CopiedFile[];
  hasFrom: boolean;
  workdir: string | null;
};

function emptyState(contextDir: string): State {
  return {
    contextDir,
    beforeFrom: new Map(),
    scope: new Map(),
    env: new Map(),
    directories: new Set(),
    files: [],
    hasFrom: false,
    workdir: null,
  };
}

const STEPS: Readonly<Record<string, (rest: string, state: State) => void | Promise<void>>> = {
  ARG: followArg,
  FROM: followFrom,
  WORKDIR: followWorkdir,
  ENV: followEnv,
  COPY: async (rest, state) => void state.files.push(...(await planCopy(rest, state.scope, state))),
};

async function follow({ name, rest }: Instruction, state: State): Promise<void> {
  const step = Object.hasOwn(STEPS, name) ? STEPS[name] : undefined;
  if (step === undefined) throw new NotSimple(name);
  if (!state.hasFrom && name !== 'ARG' && name !== 'FROM')
    throw new NotSimple(`${name} before FROM`);
  await step(rest, state);
}

function followArg(rest: string, state: State): void {
  const scope = state.hasFrom ? state.scope : state.beforeFrom;
  for (const word of words(rest, scope)) {
    const [name = '', ...value] = word.split('=');
    const given = value.length > 0 ? value.join('=') : state.beforeFrom.get(name);
    if (given !== undefined && !state.env.has(name)) scope.set(name, given);
  }
}

function followFrom(rest: string, state: State): void {
  if (state.hasFrom) throw new NotSimple('a second FROM');
  const [image = ''] = words(rest, state.beforeFrom).filter((word) => !word.startsWith('--'));
  if (image === '') throw new NotSimple('FROM without an image');
  state.hasFrom = true;
}

function followWorkdir(rest: string, state: State): void {
  state.workdir = absolute(words(rest, state.scope).join(' '), state.workdir);
  addFolders(state.workdir, state.directories);
}

function followEnv(rest: string, state: State): void {
  for (const [name, value] of envPairs(rest, state)) {
    state.env.set(name, value);
    state.scope.set(name, value);
  }
}

function envPairs(rest: string, state: State): [string, string][] {
  const list = words(rest, state.scope);
  if (list[0] !== undefined && !list[0].includes('=')) return [[list[0], list.slice(1).join(' ')]];
  return list.map((word) => {
    const [name = '', ...value] = word.split('=');
    if (name === '' || value.length === 0) throw new NotSimple(`ENV ${word}`);
    return [name, value.join('=')];
  });
}

const NO_WORKDIR: Dockerfile = {
  kind: 'other',
  reason: 'no WORKDIR',
  fix: 'add WORKDIR /app at its end',
};

function finish(state: State): Dockerfile {
  if (!state.hasFrom) return { kind: 'other', reason: 'no FROM' };
  if (state.workdir === null) return NO_WORKDIR;
  const directories = [...state.directories].sort();
  const { workdir, files } = state;
  return { kind: 'simple', workdir, env: Object.fromEntries(state.env), directories, files };
}
