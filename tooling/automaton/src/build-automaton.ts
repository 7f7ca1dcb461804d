import { readFileSync } from 'node:fs';
import { automatonGguf } from './automaton-gguf.ts';
import {
  configJson,
  generationConfigJson,
  tokenizerConfigJson,
  tokenizerJson,
} from './model-files.ts';
import { writeSafetensors } from './safetensors.ts';
import { type AutomatonScript, defaultScript } from './script.ts';
import { makeVocabulary } from './vocabulary.ts';
import { makeWeights } from './weights.ts';

/** The content of each file of a model folder, by its name. */
export type AutomatonFiles = ReadonlyMap<string, Uint8Array>;

/** A real checkpoint with weights written by hand that plays a script; the same bytes for the same script. */
export function buildAutomaton(script: AutomatonScript = defaultScript): AutomatonFiles {
  const vocabulary = makeVocabulary(script);
  const weights = makeWeights(script, vocabulary);
  const chatTemplate = readFileSync(new URL('./chat-template.jinja', import.meta.url), 'utf8');
  return new Map([
    ['config.json', json(configJson(vocabulary))],
    ['generation_config.json', json(generationConfigJson(vocabulary))],
    ['tokenizer.json', json(tokenizerJson(vocabulary))],
    ['tokenizer_config.json', json(tokenizerConfigJson())],
    ['chat_template.jinja', Buffer.from(chatTemplate)],
    ['model.safetensors', writeSafetensors(weights)],
    ['automaton.gguf', automatonGguf(vocabulary, weights, chatTemplate)],
  ]);
}

function json(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
