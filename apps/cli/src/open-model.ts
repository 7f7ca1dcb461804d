import type { RunConfig, RunOptions } from '@hermes/env-core';
import type { Effects } from '@hermes/protocol';
import type { CliContext } from './context.ts';
import { serversToAsk } from './engines/servers-to-ask.ts';
import { templateArguments } from './engines/template-arguments.ts';
import type { FoundModel } from './find-model.ts';
import { closeInTime } from './in-time.ts';
import type { ChosenModel, ModelRequest } from './models.ts';
import { note } from './note.ts';
import type { ChosenParser } from './parsers.ts';

/** Opens the model of a run and asks whether it can be used. Throws what ends the command; then it is closed. */
export async function openModel(
  { entry, rest }: FoundModel,
  config: RunConfig,
  needsTokens: boolean,
  context: CliContext,
  effects: Effects,
): Promise<ChosenModel> {
  const request = modelRequest(config, needsTokens, context, effects);
  const chosen = await entry.choose(rest, request);
  try {
    await chosen.preflight?.(request.signal);
    if (chosen.isTokenModel === true) templateArguments(config.options.extraBody);
    return chosen;
  } catch (error) {
    await closeInTime('the model', () => chosen.close?.(), context);
    throw error;
  }
}

/** What a model is made from. needsTokens: of a server of which nobody has said what it is, it is found out. */
export function modelRequest(
  config: RunConfig,
  needsTokens: boolean,
  context: CliContext,
  effects: Effects,
): ModelRequest {
  const { environmentVariables, signal, workingDirectory } = context;
  const { toolCallParser, tokenizerName } = config.env;
  return {
    servers: needsTokens ? serversToAsk(config) : config.servers,
    needsTokens,
    toolCallParser,
    tokenizerName,
    workingDirectory,
    environmentVariables,
    effects,
    signal,
    note: (text) => note(context, text),
  };
}

type ModelOptions = RunConfig['options'] &
  Pick<RunOptions<unknown>, 'model' | 'prices' | 'parseFallback' | 'parser' | 'templateArguments'>;

/** The options of a run about its model. One in token space reads calls itself, and is sent no body. */
export function modelOptions(
  { provider, modelId, open, prices, modelCalls, isTokenModel }: ChosenModel,
  { options }: RunConfig,
  parser: ChosenParser,
): ModelOptions {
  const { extraBody, scheduler, ...others } = options;
  const { parseFallback, ...named } = parser;
  return {
    ...others,
    ...named,
    ...(isTokenModel === true
      ? { templateArguments: templateArguments(extraBody) }
      : { ...(extraBody && { extraBody }), ...(parseFallback && { parseFallback }) }),
    model: { provider, modelId, open },
    ...(prices === undefined ? {} : { prices }),
    scheduler: { ...scheduler, ...(modelCalls === undefined ? {} : { modelCalls }) },
  };
}
