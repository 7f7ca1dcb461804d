import type { ChatEvent, ChatModel, ChatRequest, ModelCallContext } from '../model.ts';
import type { TokenSegment } from '../tokens.ts';
import { openTokenLog } from './_token-log.ts';
import type { Script } from './script.ts';
import { type ScriptedModel, type ScriptedModelOptions, scriptedModel } from './scripted-model.ts';

/** A scripted model that keeps the tokens of its session. */
export interface ScriptedTokenModel extends ScriptedModel {
  segments(): readonly TokenSegment[];
}

/** Options of `scriptedTokenModel`. */
export type ScriptedTokenModelOptions = ScriptedModelOptions &
  Readonly<{
    /** Of the weights that answer a call (0-based); default `weights-1` for all. */
    weightVersion?: (call: number) => string;
    /** `placeholder` plays a model whose ids are made up. Default `engine`. */
    source?: TokenSegment['source'];
  }>;

/**
 * A scripted model in token space, to be opened once a rollout. A token is one character and its id
 * that character's code point, so that `String.fromCodePoint(...ids)` is the text. A request that
 * goes on where the last one ended extends its segment; any other opens a new one.
 */
export function scriptedTokenModel(
  script: Script,
  options: ScriptedTokenModelOptions = {},
): ScriptedTokenModel {
  const { weightVersion = () => 'weights-1', source = 'engine', ...rest } = options;
  const capabilities = { ...rest.capabilities, tokenIds: true };
  const inner = scriptedModel(script, { ...rest, capabilities });
  const log = openTokenLog(source);
  let calls = 0;
  const chat = (request: ChatRequest, context: ModelCallContext): AsyncIterable<ChatEvent> => {
    const version = weightVersion(calls);
    calls += 1;
    return withTokens(inner, log, request, context, version);
  };
  return {
    specificationVersion: inner.specificationVersion,
    provider: inner.provider,
    modelId: inner.modelId,
    capabilities: inner.capabilities,
    calls: inner.calls,
    get closed() {
      return inner.closed;
    },
    chat,
    segments: log.segments,
    close: inner.close,
  };
}

/** A segment grows only with a whole answer: what fails on the way leaves nothing. */
async function* withTokens(
  inner: ChatModel,
  log: ReturnType<typeof openTokenLog>,
  request: ChatRequest,
  context: ModelCallContext,
  weightVersion: string,
): AsyncGenerator<ChatEvent> {
  for await (const event of inner.chat(request, context)) {
    if (event.type !== 'result') yield event;
    else {
      const { result } = event;
      const tokens = log.add(request, result.message, context.invocationId, weightVersion);
      yield { type: 'result', result: { ...result, tokens } };
    }
  }
}
