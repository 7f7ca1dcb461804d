import { createDecodeStream, type DecodeStream } from './decode-stream.ts';
import type { AddedToken } from './pipeline/added-tokens.ts';
import { asComponent, type ComponentJson } from './pipeline/component.ts';
import { cleanUp } from './pipeline/decoders/clean-up.ts';
import { Pipeline, readModel } from './pipeline/pipeline.ts';
import { createPostProcessor, type PostProcessor } from './pipeline/post-processor.ts';
import { namedTokens, readAddedTokens } from './special-tokens.ts';

/** Text to ids and back, without templates. */
export class TextTokenizer {
  readonly specialTokens: ReadonlyMap<string, number>;
  readonly vocabularySize: number;
  /** The tokens that the configuration names, such as `eos_token`. */
  readonly named: ReadonlyMap<string, string>;
  readonly pipeline: Pipeline;
  private readonly added: ReadonlyMap<number, AddedToken>;
  private readonly ids: ReadonlyMap<string, number>;
  private readonly postProcess: PostProcessor;
  private readonly isCleanedUp: boolean;
  private readonly json: ComponentJson;

  constructor(json: ComponentJson, config: ComponentJson) {
    const model = readModel(json);
    const added = readAddedTokens(json, config, model);
    this.json = json;
    this.named = namedTokens(config);
    this.added = new Map(added.map((token) => [token.id, token]));
    this.ids = new Map(added.map((token) => [token.content, token.id]));
    this.specialTokens = new Map(
      added.filter((token) => token.special).map((token) => [token.content, token.id]),
    );
    this.pipeline = new Pipeline(json, added, model);
    this.vocabularySize = 1 + highestId(model.vocabulary.values(), this.added.keys());
    this.postProcess = postProcessorOf(json, config, this);
    this.isCleanedUp = config.clean_up_tokenization_spaces === true && modelType(json) !== 'BPE';
  }

  /** The id of a token by its exact name. */
  idOf(token: string): number | undefined {
    return this.ids.get(token) ?? this.pipeline.model.vocabulary.get(token);
  }

  tokenOf(id: number): string | undefined {
    return this.added.get(id)?.content ?? this.pipeline.model.tokenOf(id);
  }

  encode(
    text: string,
    options: Readonly<{ addSpecial?: boolean; parseSpecial?: boolean }> = {},
  ): number[] {
    const ids = this.pipeline.encode(wellFormed(text), options.parseSpecial === false);
    return options.addSpecial ? this.postProcess(ids) : ids;
  }

  /** Ids that are no token give no text, as in the reference. */
  decode(ids: readonly number[], options: Readonly<{ skipSpecial?: boolean }> = {}): string {
    const tokens = ids.flatMap((id) => this.tokenOf(id) ?? []);
    const kept = options.skipSpecial
      ? tokens.filter((token) => !this.specialTokens.has(token))
      : tokens;
    const text = this.pipeline.decode(kept).join('');
    return this.isCleanedUp ? cleanUp(text, 'whole text') : text;
  }

  decoder(): DecodeStream {
    return createDecodeStream({
      decoderJson: this.json.decoder,
      tokenOf: (id) => this.tokenOf(id),
      decode: (ids) => this.decode(ids),
      isCleanedUp: this.isCleanedUp,
    });
  }
}

/** Half a surrogate pair is no character; every UTF-8 encoder writes U+FFFD for it. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function highestId(...all: readonly Iterable<number>[]): number {
  let highest = -1;
  for (const ids of all) for (const id of ids) highest = Math.max(highest, id);
  return highest;
}

function modelType(json: ComponentJson): unknown {
  return asComponent(json.model, 'model').type;
}

/** `add_bos_token` and `add_eos_token` of a configuration replace the post-processor. */
function postProcessorOf(
  json: ComponentJson,
  config: ComponentJson,
  tokenizer: TextTokenizer,
): PostProcessor {
  if (config.add_bos_token === undefined && config.add_eos_token === undefined)
    return json.post_processor === null || json.post_processor === undefined
      ? (ids) => [...ids]
      : createPostProcessor(asComponent(json.post_processor, 'post-processor'));
  const around = (flagName: string, tokenName: string): number[] => {
    const name = tokenizer.named.get(tokenName);
    const id = config[flagName] === true && name !== undefined ? tokenizer.idOf(name) : undefined;
    return id === undefined ? [] : [id];
  };
  const start = around('add_bos_token', 'bos_token');
  const end = around('add_eos_token', 'eos_token');
  return (ids) => [...start, ...ids, ...end];
}
