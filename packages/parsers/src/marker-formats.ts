/** A trait of chat templates and of model output, and the format that it speaks for. */
export interface MarkerTrait {
  readonly format: string;
  readonly marker: string;
  /** How sure it makes the format: 1 is certain. */
  readonly confidence: number;
}

const own = 0.95;
const shared = 0.75;
const guess = 0.5;

type Trait = readonly [format: string, pattern: RegExp, confidence: number, beside?: string];

/** From the markers that one format alone has to the shapes that several have. */
const traits: readonly Trait[] = [
  ['harmony', /<\|channel\|>|<\|start\|>assistant/, own],
  ['kimi_k3', /<\|open\|>(?:tools|call|response|think)/, own],
  ['kimi_k2', /<\|tool_calls?_section_begin\|>|<\|tool_call_argument_begin\|>/, own],
  ['deepseek_v4', /<｜DSML｜tool_?calls>/, own],
  ['deepseek_v32', /<｜DSML｜/, own],
  ['step3', /<steptml:invoke|<｜tool_calls_begin｜>/, own],
  ['deepseek_v3', /<｜tool▁sep｜>[^{]{0,200}```json/, own],
  ['deepseek_v3_1', /<｜tool▁(?:sep|calls▁begin)｜>/, own],
  ['minimax_m3', /\]<\]minimax\[>\[/, own],
  ['minimax_m2', /<minimax:tool_call>/, own],
  ['longcat', /<longcat_tool_call>/, own],
  ['seed_oss', /<seed:tool_call>/, own],
  ['gemma4', /<\|tool_call>/, own],
  ['functiongemma', /<start_function_call>/, own],
  ['lfm2', /<\|tool_call_start\|>/, own],
  ['apertus', /<\|tools_prefix\|>/, own],
  ['cohere_command3', /<\|START_ACTION\|>/, own],
  ['internlm', /<\|action_start\|>/, own],
  ['nemotron', /<TOOLCALL>/, own],
  ['gigachat3', /<\|function_call\|>|function call<\|role_sep\|>/, own],
  ['phi4_mini_json', /functools\[/, own],
  ['hy_v3', /<tool_sep>/, own],
  ['glm45', /<arg_key>/, own],
  ['mistral', /\[TOOL_CALLS\]/, own],
  ['granite', /<\|tool_call\|>/, own],
  ['qwen3_coder', /<function=/, own],
  ['olmo3', /<function_calls>(?!\s*<)/, shared],
  ['hunyuan_a13b', /助手：/, shared],
  ['hunyuan_a13b', /<tool_calls>/, shared, '<answer>'],
  ['minimax_m1', /<tool_calls>\s*\{/, shared],
  ['jamba', /<tool_calls>/, shared],
  ['granite_20b_fc', /<function_call>/, shared],
  ['ernie45', /<tool_call>/, shared, '<response>'],
  ['granite', /<tool_call>\s*\[/, shared],
  ['hermes', /<tool_call>/, shared],
  ['llama3_json', /<\|python_(?:tag|start)\|>\s*\{|"parameters": dictionary of/, own],
  ['pythonic', /<\|python_start\|>|^\[[\p{L}_][\w.]*\(/mu, shared],
  ['llama3_json', /<\|python_tag\|>/, shared],
  ['xlam', /^\s*\[\s*\{\s*"name"\s*:/, guess],
  ['llama3_json', /\{\s*"(?:type|name)"\s*:[^{}]*"parameters"\s*:/, guess],
];

/** The first trait that a text has; null when it has none. Line breaks may be spelled `\n`. */
export function markerTraitOf(text: string): MarkerTrait | null {
  const plain = text.replaceAll('\\n', '\n').replaceAll('\\"', '"');
  for (const [format, pattern, confidence, beside = ''] of traits) {
    const marker = pattern.exec(plain)?.[0].slice(0, 40);
    if (marker !== undefined && plain.includes(beside)) return { format, marker, confidence };
  }
  return null;
}
