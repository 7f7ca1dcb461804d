import { builtinParsers } from '../src/registry.ts';
import { hostileTexts, tools } from './_hostile-texts.ts';

const [, , name, kind, way, len] = process.argv;
const parser = builtinParsers.find((p) => p.name === name)!;
const text = hostileTexts(parser)[kind!]!(Number(len));
console.log(JSON.stringify(text.slice(0, 80)), text.length);
globalThis.gc!();
const before = process.memoryUsage().heapUsed;
const t = performance.now();
let events = 0;
let result: any;
if (way === 'one') result = parser.parse(text, { tools });
else {
  const s = parser.stream({ tools, delivery: way as any });
  for (let i = 0; i < text.length; i += 4) {
    const r: any = s.push(text.slice(i, i + 4));
    events += r?.length ?? 0;
  }
  globalThis.gc!();
  console.log(
    'before finish',
    ((process.memoryUsage().heapUsed - before) / text.length).toFixed(1),
    'B/char',
  );
  result = s.finish();
  result = (result as any).result ?? result;
}
const ms = performance.now() - t;
globalThis.gc!();
console.log(
  ms.toFixed(0) + ' ms',
  ((process.memoryUsage().heapUsed - before) / text.length).toFixed(1),
  'B/char',
  result.diagnostics?.length,
  events,
);
