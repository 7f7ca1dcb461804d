import { describe, expect, it } from 'vitest';
import { parseDockerfile } from '../src/dockerfile/parse-dockerfile.ts';
import type { Dockerfile } from '../src/types.ts';
import { makeTask } from './_make-task.ts';

const CONTEXT = {
  'a.txt': 'a',
  'b.txt': 'b',
  'sub/c.txt': 'c',
  'sub/deep/d.txt': 'd',
  'run.sh': 'true',
};

async function parse(text: string): Promise<Dockerfile> {
  return parseDockerfile(text, await makeTask(CONTEXT));
}

async function simple(text: string): Promise<Extract<Dockerfile, { kind: 'simple' }>> {
  const dockerfile = await parse(text);
  if (dockerfile.kind !== 'simple') throw new Error(dockerfile.reason);
  return dockerfile;
}

async function copied(lines: string): Promise<Record<string, string>> {
  const { files } = await simple(`FROM debian\nWORKDIR /app\n${lines}`);
  return Object.fromEntries(
    files.map((file) => [file.path, `${file.source.split('/').at(-1)} ${file.mode.toString(8)}`]),
  );
}

describe('a Dockerfile of ARG, FROM, WORKDIR, ENV and COPY', () => {
  it('gives the working directory, step by step', async () => {
    expect((await simple('FROM a\nWORKDIR /app\nWORKDIR src\nWORKDIR ../lib')).workdir).toBe(
      '/app/lib',
    );
  });

  it('reads comments, continuation lines, lower case and blank lines', async () => {
    const text =
      '# syntax=docker/dockerfile:1\n\narg BASE=debian\n  # note\nfrom ${BASE} AS base\nworkdir \\\n  # inside\n  /app\nEnv A=1 \\\n    B=2\n';
    expect(await simple(text)).toMatchObject({ workdir: '/app', env: { A: '1', B: '2' } });
  });

  it.each([
    ['ENV A=1 B="two words" C=\'$A\'', { A: '1', B: 'two words', C: '$A' }],
    ['ENV OLD style value', { OLD: 'style value' }],
    [
      'ARG N=5\nENV M=$N K=${N}0 L=${NONE:-x} S=${N:+set} E=a\\ b',
      { M: '5', K: '50', L: 'x', S: 'set', E: 'a b' },
    ],
    ['ENV A=1\nENV B=$A\nENV A=2', { A: '2', B: '1' }],
    ['ENV A="say \\"hi\\" \\$A"', { A: 'say "hi" $A' }],
    ["ENV A=\"it's\" B='x'", { A: "it's", B: 'x' }],
    ['ARG BASE\nENV B=$BASE', { B: 'debian' }],
  ])('%j sets the environment', async (lines, env) => {
    expect((await simple(`ARG BASE=debian\nFROM \${BASE}\nWORKDIR /app\n${lines}`)).env).toEqual(
      env,
    );
  });

  it.each([
    ['COPY a.txt ./', { '/app/a.txt': 'a.txt 644' }],
    ['COPY a.txt renamed.txt', { '/app/renamed.txt': 'a.txt 644' }],
    ['COPY a.txt b.txt data/', { '/app/data/a.txt': 'a.txt 644', '/app/data/b.txt': 'b.txt 644' }],
    ['COPY *.txt /opt/', { '/opt/a.txt': 'a.txt 644', '/opt/b.txt': 'b.txt 644' }],
    ['COPY ?.txt .', { '/app/a.txt': 'a.txt 644', '/app/b.txt': 'b.txt 644' }],
    ['COPY sub ./', { '/app/c.txt': 'c.txt 644', '/app/deep/d.txt': 'd.txt 644' }],
    ['COPY sub/ inner', { '/app/inner/c.txt': 'c.txt 644', '/app/inner/deep/d.txt': 'd.txt 644' }],
    ['COPY --chmod=700 a.txt ./', { '/app/a.txt': 'a.txt 700' }],
    ['COPY --link --chmod=0755 a.txt x', { '/app/x': 'a.txt 755' }],
    ['COPY ["a.txt", "with blank/"]', { '/app/with blank/a.txt': 'a.txt 644' }],
    ['COPY run.sh .', { '/app/run.sh': 'run.sh 755' }],
    [
      'COPY sub dir\nCOPY a.txt dir',
      {
        '/app/dir/c.txt': 'c.txt 644',
        '/app/dir/deep/d.txt': 'd.txt 644',
        '/app/dir/a.txt': 'a.txt 644',
      },
    ],
    ['COPY ../a.txt ./', { '/app/a.txt': 'a.txt 644' }],
  ])('%j copies', async (lines, files) => {
    expect(await copied(lines)).toEqual(files);
  });
});

describe('a Dockerfile that needs an image', () => {
  it.each([
    ['FROM ubuntu\nCOPY a.txt ./', 'line 2: a relative path before any WORKDIR', 'before line 2'],
    ['FROM ubuntu\nCOPY a.txt /app/', 'no WORKDIR', 'at its end'],
  ])('%j says which line is missing', async (text, reason, place) => {
    const fix = `add WORKDIR /app ${place}`;
    expect(await parse(text)).toEqual({ kind: 'other', reason, fix });
  });

  it.each([
    ['FROM a\nWORKDIR /app\nRUN true', 'line 3: RUN'],
    ['FROM a\nWORKDIR /app\nADD a.txt .', 'line 3: ADD'],
    ['FROM a\nFROM b\nWORKDIR /app', 'line 2: a second FROM'],
    ['FROM a\nWORKDIR /app\nCOPY --from=x a b', 'line 3: COPY --from'],
    ['FROM a\nWORKDIR /app\nCOPY --chown=1 a.txt b', 'line 3: COPY --chown'],
    ['FROM a\nWORKDIR /app\nCOPY <<EOF a\nhi\nEOF', 'line 3: COPY of a here-document'],
    ['FROM a\nWORKDIR /app\nCOPY none.txt .', 'none.txt'],
    ['FROM a\nWORKDIR /app\nCOPY a.txt', 'line 3: COPY needs'],
    ['FROM a\nENV PATH=/x:$PATH\nWORKDIR /app', '$PATH comes from the image'],
    ['FROM a\nWORKDIR app', 'relative path'],
    ['FROM a\nENV A=1', 'no WORKDIR'],
    ['WORKDIR /app', 'before FROM'],
    ['# escape=`\nFROM a', 'escape'],
    ['FROM a\nWORKDIR /app\nENV A="x', 'quote'],
    ['FROM a\nWORKDIR /app\nconstructor x', 'CONSTRUCTOR'],
    ['', 'no FROM'],
  ])('%j says what and where', async (text, reason) => {
    const dockerfile = await parse(text);
    expect(dockerfile.kind === 'other' && dockerfile.reason).toContain(reason);
  });
});
