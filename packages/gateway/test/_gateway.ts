import { type Script, scriptedTokenModel } from '@hermes/protocol/testing';
import { onTestFinished } from 'vitest';
import {
  type Gateway,
  type GatewayBackend,
  type GatewayOptions,
  startGateway,
} from '../src/index.ts';

/** Every session plays the script from its start. */
export function scriptedBackend(
  script: Script,
  more: Partial<GatewayBackend> = {},
): GatewayBackend {
  return { modelId: 'scripted', open: () => scriptedTokenModel(script), ...more };
}

/** What of the answers the tests look at. An answer has a few of these. */
type Body = Readonly<{
  uuid: string;
  base_url: string;
  api_key: string | null;
  status: string;
  error: Readonly<{ code: string; message: string; type: string }>;
  choices: readonly [
    Readonly<{ finish_reason: string; message: Readonly<{ content: string | null }> }>,
  ];
  nodes: readonly [Readonly<{ metadata: object; tokens: readonly number[]; full_text: string }>];
  input_tokens: number;
  prompt_text: string;
  token_ids: readonly number[];
  data: readonly object[];
  servers: readonly object[];
  sessions: readonly object[];
  usage: object;
}>;

/** An answer; `body` is `{}` where it is no JSON. */
type Answer = Readonly<{ status: number; text: string; body: Body }>;

/** A gateway and a way to ask it. */
type OpenedGateway = Readonly<{
  gateway: Gateway;
  ask: (method: string, path: string, body?: unknown, headers?: object) => Promise<Answer>;
}>;

/** A gateway that is closed with the test, and a way to ask it. */
export async function openGateway(
  backend: GatewayBackend | null,
  options: Partial<GatewayOptions> = {},
): Promise<OpenedGateway> {
  const gateway = await startGateway({ backend, ...options });
  onTestFinished(() => gateway.close());
  const ask = async (method: string, path: string, body?: unknown, headers = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${gateway.baseUrl}${path}`, { method, headers, ...sent });
    const text = await answer.text();
    return { status: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : {} };
  };
  return { gateway, ask };
}

/** The smallest request. */
export const hello: { readonly messages: readonly object[] } = {
  messages: [{ role: 'user', content: 'hello' }],
};
