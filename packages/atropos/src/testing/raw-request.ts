import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** A request to a trajectory server, also one that no client would send. */
export type RawRequest = Readonly<{
  method?: string;
  path: string;
  /** A text or bytes as they are; anything else as JSON. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}>;

export type RawAnswer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  /** The JSON of the body; its text where it is none. */
  body: unknown;
}>;

/** One request over a connection of its own. */
export function rawRequest(baseUrl: string, asked: RawRequest): Promise<RawAnswer> {
  const bytes = bytesOf(asked.body);
  const method = asked.method ?? (bytes === null ? 'GET' : 'POST');
  const headers = {
    ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
    ...asked.headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(asked.path, baseUrl),
      { method, headers, agent: false },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(pieces);
          const isZipped = response.headers['content-encoding'] === 'gzip';
          const text = (isZipped ? gunzipSync(body) : body).toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            body: parsed(text),
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
  });
}

function bytesOf(body: unknown): Buffer | null {
  if (body === undefined) return null;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
