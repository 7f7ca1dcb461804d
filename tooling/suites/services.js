import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const dockerScript = fileURLToPath(new URL('../services/docker.sh', import.meta.url));
const llamaScript = fileURLToPath(new URL('../services/llama-server.sh', import.meta.url));
const sshdScript = fileURLToPath(new URL('../services/sshd.sh', import.meta.url));

const python = process.env.HERMES_TEST_PYTHON ?? 'python3';

/** What tests can ask of a machine, and how it is seen. */
const known = {
  atroposlib: {
    reason: 'no Python package atroposlib with what its run-api and client need',
    isHere: () =>
      succeeds(python, [
        '-c',
        'import atroposlib, fastapi, uvicorn, aiohttp, jsonlines, numpy, requests, rich, tenacity',
      ]),
  },
  bubblewrap: {
    reason: 'no working bwrap',
    isHere: () =>
      succeeds('bwrap', [
        '--unshare-user',
        '--unshare-pid',
        '--ro-bind',
        '/',
        '/',
        '--',
        '/bin/true',
      ]),
  },
  bun: { reason: 'no bun command', isHere: () => succeeds('bun', ['--version']) },
  chromium: { reason: 'no chromium command', isHere: () => succeeds('chromium', ['--version']) },
  deno: { reason: 'no deno command', isHere: () => succeeds('deno', ['--version']) },
  docker: {
    reason: 'no daemon with the test images: sh tooling/services/docker.sh start',
    isHere: () => succeeds('sh', [dockerScript, 'check']),
  },
  go: { reason: 'no go command', isHere: () => succeeds('go', ['version']) },
  huggingface_hub: {
    reason: 'no Python package huggingface_hub',
    isHere: () => succeeds(python, ['-c', 'import huggingface_hub']),
  },
  'llama-server': {
    reason: 'no llama.cpp server in the cache: sh tooling/services/llama-server.sh build',
    isHere: () => succeeds('sh', [llamaScript, 'check']),
  },
  'math-verify': {
    reason: 'no Python package math-verify',
    isHere: () => succeeds(python, ['-c', 'import math_verify']),
  },
  'openenv-core': {
    reason: 'no Python packages openenv-core and websockets',
    isHere: () => succeeds(python, ['-c', 'import openenv, websockets, pydantic, requests']),
  },
  'opentelemetry-proto': {
    reason: 'no Python package opentelemetry-proto',
    isHere: () => succeeds(python, ['-c', 'import opentelemetry.proto']),
  },
  sglang: { reason: 'by request alone: HERMES_TEST_SERVICES=sglang', isHere: () => false },
  sshd: {
    reason: 'no ssh server of the tests: sh tooling/services/sshd.sh start',
    isHere: () => succeeds('sh', [sshdScript, 'check']),
  },
  datasets: {
    reason: 'no Python packages datasets and jsonschema',
    isHere: () => succeeds(python, ['-c', 'import datasets, jsonschema']),
  },
  tensorboard: {
    reason: 'no Python package tensorboard',
    isHere: () => succeeds(python, ['-c', 'import tensorboard']),
  },
  transformers: {
    reason: 'no Python package transformers',
    isHere: () => succeeds(python, ['-c', 'import transformers, jinja2']),
  },
  vllm: { reason: 'by request alone: HERMES_TEST_SERVICES=vllm', isHere: () => false },
  wandb: {
    reason: 'no Python package wandb',
    isHere: () => succeeds(python, ['-c', 'import wandb']),
  },
};

/** The services that the suites expect, and those that they leave out. An explicit list is taken at its word: what is missing then fails. */
export function chooseServices(list) {
  const names = Object.keys(known);
  if (list !== undefined) {
    const expected = list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const unknown = expected.filter((name) => !names.includes(name));
    if (unknown.length > 0)
      throw new Error(
        `HERMES_TEST_SERVICES: unknown ${unknown.join(', ')}; there is ${names.join(', ')}`,
      );
    return { expected, notCovered: leftOut(names, expected, () => 'not asked for') };
  }
  const expected = names.filter((name) => known[name].isHere());
  return { expected, notCovered: leftOut(names, expected, (name) => known[name].reason) };
}

function leftOut(names, expected, reasonOf) {
  return names
    .filter((name) => !expected.includes(name))
    .map((name) => ({ name, reason: reasonOf(name) }));
}

function succeeds(command, args) {
  return spawnSync(command, args, { stdio: 'ignore', timeout: 20_000 }).status === 0;
}
