import { atroposVllm } from '../engines/atropos-vllm.ts';
import type { EngineDialect } from '../engines/engine-dialect.ts';
import { llamaCppCompletion } from '../engines/llama-cpp.ts';
import { openAiCompletions } from '../engines/openai-completions.ts';
import { sglangGenerate } from '../engines/sglang.ts';
import { trlGenerate } from '../engines/trl.ts';
import { vllmCompletions } from '../engines/vllm-completions.ts';
import { vllmInference } from '../engines/vllm-inference.ts';
import type { ServerType } from './settings.ts';

/** The dialect of each kind of server. */
export const DIALECTS: Readonly<Record<Exclude<ServerType, 'auto'>, EngineDialect>> = {
  vllm: vllmCompletions,
  vllm_inference: vllmInference,
  atropos_vllm: atroposVllm,
  sglang: sglangGenerate,
  trl: trlGenerate,
  llama_cpp: llamaCppCompletion,
  openai: openAiCompletions,
};
