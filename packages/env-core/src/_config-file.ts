import { readFile } from 'node:fs/promises';
import type { JsonObject } from '@hermes/protocol';
import { HermesError } from '@hermes/protocol';
import { parseDocument } from 'yaml';
import { isMap } from './_config-merge.ts';
import { unknownKey } from './_parse-fields.ts';

/** The sections of a file. openai null: the file does not say. */
type ConfigFile = Readonly<{
  env: JsonObject;
  openai: readonly JsonObject[] | null;
  notices: readonly string[];
}>;

const SECTIONS = ['env', 'openai', 'slurm', 'testing'];

/** Reads a YAML file as YAML 1.1. Throws a HermesError `config` that names the file, and the line of a mistake. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  const content = parseYaml(path, await readText(path)) ?? {};
  if (!isMap(content)) throw wrong(path, 'a map with the sections env and openai is expected');
  const unknown = Object.keys(content).filter((name) => !SECTIONS.includes(name));
  const [first] = unknown;
  if (first !== undefined) throw wrong(path, unknownKey('', first, SECTIONS));
  const { env = {}, openai = null } = content;
  const given = env ?? {};
  if (!isMap(given)) throw wrong(path, 'env: a map is expected');
  const idle = ['slurm', 'testing'].filter((name) => name in content);
  return {
    env: given,
    openai: serversOf(path, openai),
    notices: idle.map((name) => `${name} has no effect here`),
  };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw wrong(path, code === 'ENOENT' ? 'the file does not exist' : message, error);
  }
}

function parseYaml(path: string, text: string): unknown {
  const document = parseDocument(text, { version: '1.1', merge: true });
  const [error] = document.errors;
  if (error) throw wrong(path, error.message.replaceAll(/\s+/g, ' ').trim(), error);
  return document.toJS();
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
