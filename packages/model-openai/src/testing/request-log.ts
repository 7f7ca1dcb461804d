import type { ServerResponse } from 'node:http';
import { type FakeRequest, type RequestRecord, recordRequest } from './fake-request.ts';

/** Every chat request of a fake server, in order of arrival. */
export interface RequestLog {
  readonly requests: readonly FakeRequest[];
  add(
    seen: Pick<FakeRequest, 'path' | 'headers' | 'body'>,
    response: ServerResponse,
  ): RequestRecord;
  next(): Promise<FakeRequest>;
}

export function createRequestLog(): RequestLog {
  const requests: FakeRequest[] = [];
  const waiting = new Set<(request: FakeRequest) => void>();
  return {
    requests,
    next: () => new Promise((resolve) => void waiting.add(resolve)),
    add(seen, response) {
      const record = recordRequest({ ...seen, number: requests.length + 1 }, response);
      requests.push(record);
      for (const tell of waiting) tell(record);
      waiting.clear();
      return record;
    },
  };
}
