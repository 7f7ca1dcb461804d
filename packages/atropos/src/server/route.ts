import type { Answer } from './answers.ts';
import type { Counters } from './counters.ts';
import type { TrajectoryMode } from './refusal.ts';
import type { TrajectoryQueue } from './trajectory-queue.ts';

/** What a route may use. */
export type RouteContext = Readonly<{
  queue: TrajectoryQueue;
  mode: TrajectoryMode;
  counters: Counters;
  logBytes: () => number;
}>;

/** A request whose body has been read. */
export type RouteRequest = Readonly<{
  body: Buffer;
  query: URLSearchParams;
  /** What a sender calls this send, so that it can be repeated. */
  key: string | null;
}>;

/** A path of the API: how it may be asked, and what serves it. */
export type Route = Readonly<{
  methods: readonly ('GET' | 'POST')[];
  serve: (context: RouteContext, request: RouteRequest) => Answer | Promise<Answer>;
}>;
