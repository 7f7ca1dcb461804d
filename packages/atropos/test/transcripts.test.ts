import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createTrajectoryServer } from '../src/index.ts';
import { rawRequest } from '../src/testing/index.ts';

/** Requests to and answers of `run-api` of atroposlib 0.4.0, recorded from the real one. */
type Step = Readonly<{
  request: Readonly<{
    method: string;
    path: string;
    body?: unknown;
    headers?: Record<string, string>;
    raw_body_bytes?: number;
  }>;
  response: Readonly<{ status: number; headers: Record<string, string>; body: unknown }>;
  note?: string;
}>;

const folder = new URL('fixtures/run-api/', import.meta.url);
const group =
  '{"tokens":[[100,101,102],[110,111,112]],"masks":[[-100,101,102],[-100,111,112]],"scores":[0.0,1.0]}';
const zipped = gzipSync(group);

/** The transcripts leave out bodies that are no JSON; these are bodies of the same kind, by transcript and step. */
const rawBodies: Readonly<Record<string, readonly (string | Buffer)[]>> = {
  '03': [
    '{"tokens":[[1]],"masks":[[1]],"scores":[NaN]}',
    '{"tokens":[[1]],"masks":[[1]],"scores":[1e999]}',
    '{"tokens":',
    group,
  ],
  '04': [
    '{"tokens":[[1]],"masks":[[1]],"scores":[NaN]}',
    '{"tokens":[[1]],"masks":[[1]],"scores":[1e999]}',
  ],
  '09': [
    zipped,
    'no gzip!',
    zipped.subarray(0, -20),
    Buffer.concat([zipped.subarray(0, 30), Buffer.alloc(20, 255), zipped.subarray(50)]),
    Buffer.alloc(0),
    group,
  ],
};

/** What this server answers on purpose although the original does not: the id may come in the query, or by POST. */
const extensions = new Set(['id only in the query', 'POST']);

describe('compat answers as the recorded run-api', () => {
  for (const name of readdirSync(folder)) {
    const { title, steps } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as {
      title: string;
      steps: readonly Step[];
    };
    it(title, async () => {
      await using server = await createTrajectoryServer({ port: 0 });
      const raw = [...(rawBodies[name.slice(0, 2)] ?? [])];
      for (const { request, response, note } of steps) {
        const body = request.raw_body_bytes === undefined ? request.body : raw.shift();
        const answer = await rawRequest(server.baseUrl, { ...request, body });
        if (extensions.has(note ?? '')) {
          expect(answer.status).toBe(200);
          continue;
        }
        const where = `${request.method} ${request.path} ${note ?? ''}`;
        expect(answer.status, where).toBe(response.status);
        compareBodies(answer.body, response.body, where);
      }
    });
  }
});

function compareBodies(actual: unknown, expected: unknown, where: string): void {
  if (isLeftOut(expected)) return;
  if (hasUuid(expected)) expect(Object.keys(actual as object), where).toEqual(['uuid']);
  else if (where.includes('no JSON content type')) expect(actual).toHaveProperty('detail.0.type');
  else expect(actual, where).toEqual(expected);
}

function isLeftOut(body: unknown): boolean {
  return typeof body === 'string' && body.startsWith('(');
}

function hasUuid(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'uuid' in body;
}
