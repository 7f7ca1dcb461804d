/** Runs the cases of a file with the npm package `@ai-sdk-tool/parser`: see protocol.md. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, casesFile] = process.argv.slice(2);
const entry = createRequire(`${folder}/none.js`).resolve('@ai-sdk-tool/parser');
const peer = await import(pathToFileURL(entry.replace(/\.cjs$/, '.js')).href);
const longcatTags = { toolCallStart: '<longcat_tool_call>', toolCallEnd: '</longcat_tool_call>' };
const protocols = {
  hermes: () => peer.hermesProtocol(),
  qwen: () => peer.hermesProtocol(),
  longcat: () => peer.hermesProtocol(longcatTags),
  qwen3_coder: () => peer.qwen3CoderProtocol(),
};

for (const line of readFileSync(casesFile, 'utf8').trim().split('\n')) {
  const testCase = JSON.parse(line);
  if (protocols[testCase.format] === undefined) continue;
  process.stdout.write(`${JSON.stringify(await run(testCase))}\n`);
}

async function run({ id, format, text, tools, chunk, budgetMs }) {
  const input = {
    tools: tools.map(({ function: tool }) => ({
      type: 'function',
      name: tool.name,
      inputSchema: tool.parameters,
    })),
    options: {},
  };
  const once = async () => {
    try {
      return chunk ? await readStream(format, text, chunk, input) : readWhole(format, text, input);
    } catch {
      return { calls: [], content: '' };
    }
  };
  const result = await once();
  return { id, microseconds: budgetMs === 0 ? null : await least(once, budgetMs), ...result };
}

/** The least processor time of a run, measured over as many as take a millisecond together. */
async function least(once, budgetMs) {
  const cpu = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const end = cpu() + budgetMs * 1000;
  let best = Number.POSITIVE_INFINITY;
  for (let times = 1; cpu() < end || best === Number.POSITIVE_INFINITY; ) {
    const begin = cpu();
    for (let time = 0; time < times; time += 1) await once();
    const spent = cpu() - begin;
    if (spent < 1000) times *= 2;
    else best = Math.min(best, spent / times);
  }
  return best;
}

function readWhole(format, text, input) {
  return fold(protocols[format]().parseGeneratedText({ text, ...input }));
}

async function readStream(format, text, size, input) {
  const stream = protocols[format]().createStreamParser(input);
  const parts = Array.fromAsync?.(stream.readable) ?? collect(stream.readable);
  const writer = stream.writable.getWriter();
  await writer.write({ type: 'text-start', id: '0' });
  for (let from = 0; from < text.length; from += size)
    await writer.write({ type: 'text-delta', id: '0', delta: text.slice(from, from + size) });
  await writer.write({ type: 'text-end', id: '0' });
  await writer.write({ type: 'finish', finishReason: 'stop', usage: {} });
  await writer.close();
  return fold(await parts);
}

async function collect(readable) {
  const parts = [];
  for await (const part of readable) parts.push(part);
  return parts;
}

function fold(parts) {
  const content = parts
    .map((part) => part.delta ?? (part.type === 'text' ? part.text : ''))
    .join('');
  const calls = parts
    .filter((part) => part.type === 'tool-call')
    .map(({ toolName, input }) => ({
      name: toolName,
      arguments: typeof input === 'string' ? input : JSON.stringify(input),
    }));
  return { calls, content };
}
