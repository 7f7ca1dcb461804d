import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FakeTrainer, startFakeTrainer, type TrainerReport } from '../start-fake-trainer.ts';
import { type InferenceRoute, inferenceRoutes, type SampleTokens } from './inference-routes.ts';
import { type TinkerDatum, trainOn } from './train-on.ts';

export type { TinkerDatum } from './train-on.ts';

export type FakeTinkerOptions = Readonly<{
  /** Where the trajectory server listens. */
  trajectoryUrl: string;
  /** In sequences. Default 128, as the original. */
  batchSize?: number;
  /** Default 2048, as the original. */
  maxTokens?: number;
  steps?: number;
  /** What the model says after these ids. */
  sample: SampleTokens;
}>;

/** The trainer of tinker-atropos, and its inference server, without a model. */
export interface FakeTinker extends AsyncDisposable {
  /** The inference server; environments use `<baseUrl>/v1`, with the kind `sglang`. */
  readonly baseUrl: string;
  /** Everything that was trained on so far. */
  readonly data: readonly TinkerDatum[];
  /** What the training got, once it has ended; null = it never began. */
  readonly trained: Promise<TrainerReport | null>;
  /** Resolves once environments may register and the inference server has left 503. */
  initialise(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the inference server at once; `initialise` begins the training, as loading the weights does in the original. */
export async function startFakeTinker(options: FakeTinkerOptions): Promise<FakeTinker> {
  const data: TinkerDatum[] = [];
  let trainer: FakeTrainer | null = null;
  let isReady = false;
  const routes = inferenceRoutes(options.sample);
  const server = createServer((request, response) => {
    serve(routes, request, () => isReady)
      .catch((error: unknown) => ({ status: 500, body: { detail: String(error) } }))
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      })
      .catch((error: unknown) => response.destroy(error as Error));
  });
  const baseUrl = await listen(server);
  const close = async () => {
    await trainer?.stop();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    baseUrl,
    data,
    get trained() {
      return trainer?.done ?? Promise.resolve(null);
    },
    async initialise() {
      trainer = startFakeTrainer({
        baseUrl: options.trajectoryUrl,
        batchSize: options.batchSize ?? 128,
        maxTokens: options.maxTokens ?? 2048,
        ...(options.steps !== undefined && { steps: options.steps }),
        onBatch: (batch) => data.push(...trainOn(batch)),
      });
      await trainer.started;
      isReady = true;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Reply = Readonly<{ status: number; body: unknown }>;

async function serve(
  routes: Readonly<Record<string, InferenceRoute>>,
  request: IncomingMessage,
  isReady: () => boolean,
): Promise<Reply> {
  const route = routes[`${request.method} ${request.url}`];
  if (route === undefined) return { status: 404, body: { detail: 'Not Found' } };
  if (!isReady() && request.method === 'POST')
    return { status: 503, body: { detail: 'The sampling client is not initialised' } };
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  return { status: 200, body: route(text === '' ? {} : JSON.parse(text)) };
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });
}
