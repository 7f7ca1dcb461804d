import type { ServerResponse } from 'node:http';
import type { HubAnswer } from './hub-answers.ts';
import type { FakeHubFault, FakeHubRequest } from './start-fake-hub.ts';

/** Sends an answer, or what a fault makes of it. */
export function playAnswer(
  response: ServerResponse,
  request: FakeHubRequest,
  fault: FakeHubFault | null,
  answer: () => HubAnswer,
): void {
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'reset') response.destroy();
  else if (fault?.kind === 'status') sendStatus(response, fault);
  else sendBody(response, fault, withRange(answer(), fault?.kind === 'no-ranges' ? null : request));
}

function sendStatus(
  response: ServerResponse,
  fault: Extract<FakeHubFault, { kind: 'status' }>,
): void {
  const { retryAfterSeconds: seconds } = fault;
  response.writeHead(fault.status, seconds === undefined ? {} : { 'retry-after': String(seconds) });
  response.end();
}

function sendBody(response: ServerResponse, fault: FakeHubFault | null, answer: HubAnswer): void {
  response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length });
  if (fault?.kind === 'garble') response.end(answer.body.map((byte) => byte ^ 1));
  else if (fault?.kind === 'cut' || fault?.kind === 'stall') sendPart(response, fault, answer.body);
  else response.end(response.req.method === 'HEAD' ? undefined : answer.body);
}

function sendPart(
  response: ServerResponse,
  fault: Extract<FakeHubFault, { kind: 'cut' | 'stall' }>,
  body: Uint8Array,
): void {
  response.write(body.subarray(0, fault.afterBytes), () => {
    if (fault.kind === 'stall') return;
    const cut = () => void response.destroy();
    void (fault.until?.() ?? Promise.resolve()).then(cut, cut);
  });
}

function withRange(answer: HubAnswer, request: FakeHubRequest | null): HubAnswer {
  const range = /^bytes=(?<from>\d+)-(?<to>\d*)$/.exec(request?.range ?? '')?.groups;
  if (answer.status !== 200 || !range) return answer;
  const total = answer.body.length;
  const from = Number(range.from);
  const body = answer.body.subarray(from, range.to ? Number(range.to) + 1 : total);
  const contentRange = `bytes ${from}-${from + body.length - 1}/${total}`;
  return { status: 206, headers: { ...answer.headers, 'content-range': contentRange }, body };
}
