import { getParser } from '../src/registry.ts';
import type { ParseOptions } from '../src/types.ts';

/** Prints what a message, a big body and a stream cost; the least of several runs counts. */

const ordinary: Readonly<Record<string, (value: string) => string>> = {
  hermes: (value) =>
    `Ok.\n<tool_call>\n{"name": "f", "arguments": {"path": "src/a.ts", "text": ${JSON.stringify(value)}}}\n</tool_call>`,
  mistral: (value) =>
    `Ok.[TOOL_CALLS]f[ARGS]{"path": "src/a.ts", "text": ${JSON.stringify(value)}}`,
  kimi_k2: (value) =>
    `Ok.<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"path": "src/a.ts", "text": ${JSON.stringify(value)}}<|tool_call_end|><|tool_calls_section_end|>`,
  deepseek_v3: (value) =>
    `Ok.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n\`\`\`json\n{"path": "src/a.ts", "text": ${JSON.stringify(value)}}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  qwen3_coder: (value) =>
    `Ok.\n<tool_call>\n<function=f>\n<parameter=path>\nsrc/a.ts\n</parameter>\n<parameter=text>\n${value}\n</parameter>\n</function>\n</tool_call>`,
  pythonic: (value) => `[f(path="src/a.ts", text=${JSON.stringify(value)})]`,
};

const tools: ParseOptions['tools'] = [
  {
    type: 'function',
    function: {
      name: 'f',
      parameters: {
        type: 'object',
        properties: { path: { type: 'string' }, text: { type: 'string' } },
      },
    },
  },
];

function line(count: number): string {
  return '  const value = compute(a < b ? "x" : \'y\', { k: [1, 2] }); // note\n'.repeat(count);
}

function least(run: () => void, times: number, repeats = 5): number {
  let best = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const start = process.hrtime.bigint();
    for (let time = 0; time < times; time += 1) run();
    best = Math.min(best, Number(process.hrtime.bigint() - start) / times);
  }
  return best / 1000;
}

function streamed(name: string, text: string, options: ParseOptions): void {
  const stream = getParser(name).stream(options);
  for (let from = 0; from < text.length; from += 4) stream.push(text.slice(from, from + 4));
  stream.finish();
}

for (const [name, write] of Object.entries(ordinary)) {
  const parser = getParser(name);
  const small = write('hello world, please write this down');
  const big = write(line(15_000));
  const middle = write(line(1_500));
  const whole = least(() => parser.parse(small, { tools }), 100, 300);
  const bigTime = least(() => parser.parse(big, { tools }), 1, 15);
  const floor = least(() => JSON.parse(JSON.stringify({ text: line(15_000) })), 1, 10);
  const payload = JSON.stringify({ text: line(15_000) });
  const parseFloor = least(() => JSON.parse(payload), 1, 15);
  const streams = (['whole', 'incremental'] as const).map((delivery) => {
    const chunk = (text: string) =>
      least(() => streamed(name, text, { tools, delivery }), 1) / (text.length / 4);
    return `${delivery} ${chunk(middle).toFixed(2)} / ${chunk(big).toFixed(2)} us`;
  });
  process.stdout.write(
    `${name.padEnd(12)} message ${whole.toFixed(2)} us; ${(big.length / 1e6).toFixed(1)} MB ${(big.length / bigTime).toFixed(0)} MB/s (JSON.parse ${(payload.length / parseFloor).toFixed(0)}, with stringify ${(payload.length / floor).toFixed(0)}); 4-char chunk (100 KB / 1 MB): ${streams.join(', ')}\n`,
  );
}
