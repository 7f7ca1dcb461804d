import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { JsonObject } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import type { TracedLayer } from './_layers.ts';
import { unknownKey } from './_unknown-key.ts';
import { readYaml, type YamlText, YamlTextError } from './_yaml.ts';
import { isMap, type Trace } from './value-source.ts';

/** What a file says, and sentences about what of it has no effect. */
export type ConfigFile = Readonly<{ layer: TracedLayer; notices: readonly string[] }>;

/** Sections that are read. */
const SECTIONS = ['env', 'openai'];

/** Sections of older configurations that are accepted, and why they have no effect. */
const IDLE_SECTIONS: Readonly<Record<string, string>> = {
  slurm: 'servers stand in section openai',
  testing: 'a model for trials is --model noop or oracle',
  tinker: 'it is for the trainer tinker, which reads it itself',
  profiles: 'sandbox providers take their settings from env.sandbox',
};

/** Reads a YAML file as YAML 1.1. Throws a HermesError `config` that names the file, and the line of a mistake. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  const yaml = parse(path, await readText(path));
  const content = yaml.data ?? {};
  if (!isMap(content)) throw wrong(path, 'a map with the sections env and openai is expected');
  const known = [...SECTIONS, ...Object.keys(IDLE_SECTIONS)];
  const [first] = Object.keys(content).filter((name) => !known.includes(name));
  if (first !== undefined) throw wrong(path, unknownKey('', first, known));
  const env = content.env ?? {};
  if (!isMap(env)) throw wrong(path, 'env: a map is expected');
  const openai = serversOf(path, content.openai ?? null);
  return {
    layer: {
      env,
      ...(openai === null ? {} : { openai }),
      traceEnv: traceOf(path, yaml, ['env']),
      traceServer: (index) =>
        traceOf(path, yaml, isMap(content.openai) ? ['openai'] : ['openai', index]),
    },
    notices: [...idleIn(content), ...yaml.doubles],
  };
}

function idleIn(content: JsonObject): readonly string[] {
  const idle = Object.entries(IDLE_SECTIONS).filter(([name]) => content[name]);
  return idle.map(([name, why]) => `${name} has no effect here: ${why}`);
}

function traceOf(path: string, yaml: YamlText, section: readonly (string | number)[]): Trace {
  return (key) => {
    const line = yaml.lineOf([...section, key]);
    const word = yaml.wordAt([...section, key]);
    const name = line === null ? basename(path) : `${basename(path)}:${line}`;
    return { source: { kind: 'file', name }, ...(word === null ? {} : { word }) };
  };
}

async function readText(path: string): Promise<string> {
  try {
    return decode(await readFile(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isFolder = code === 'EISDIR' ? 'it is a folder; name a file in it' : message;
    throw wrong(path, code === 'ENOENT' ? 'the file does not exist' : isFolder, error);
  }
}

/** UTF-8, or UTF-16 where the file begins with its mark, as some shells of Windows write it. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const encoding = isLittle ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error('it is no text in UTF-8; save it as UTF-8', { cause });
  }
}

function parse(path: string, text: string): YamlText {
  try {
    return readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlTextError)) throw error;
    throw wrong(path, error.message, error);
  }
}

function serversOf(path: string, openai: unknown): readonly JsonObject[] | null {
  if (openai === null) return null;
  if (isMap(openai)) return [openai];
  if (Array.isArray(openai) && openai.length > 0 && openai.every(isMap)) return openai;
  throw wrong(path, 'openai: a server (a map) or a list of servers is expected');
}

function wrong(path: string, what: string, cause?: unknown): HermesError {
  return new HermesError('config', 'CONFIG', `The configuration ${path} is wrong: ${what}`, {
    cause,
  });
}
