import { z } from 'zod';
import type { Lease } from '../slots/lease.ts';
import { bytesOfKeys } from '../terminal/keys.ts';
import { Terminal } from '../terminal/terminal.ts';
import { headOf } from './head-of.ts';
import { isolationArguments, isolationOf, refuseIsolation } from './isolation.ts';
import {
  defineTool,
  done,
  failed,
  type ServerTool,
  type ToolAnswer,
  type ToolContext,
} from './tool.ts';

const schema = z.object({
  action: z.enum(['start', 'send_keys', 'capture', 'stream', 'stop']),
  keys: z.union([z.string().transform((key) => [key]), z.array(z.string())]).default([]),
  block: z.boolean().default(false),
  min_wait_s: z.number().min(0).default(0),
  max_wait_s: z.number().min(0).optional(),
  pane_width: z.number().int().min(1).max(1000).default(120),
  pane_height: z.number().int().min(1).max(1000).default(40),
  capture_entire: z.boolean().default(false),
  max_bytes: z.number().int().positive().optional(),
  reset: z.boolean().default(false),
  ...isolationArguments,
});

type Args = z.output<typeof schema>;

/** A terminal of the slot, as the original drove it through tmux; no tmux is needed inside. */
export const tmux: ServerTool = defineTool(schema, (args, capabilities) => {
  const refusal = refuseIsolation(args, capabilities);
  if (refusal !== null) return refusal;
  return {
    allowNetwork: args.action === 'start' ? args.allow_network : null,
    run: (context) => ACTIONS[args.action](args, context),
  };
});

type Action = (args: Args, context: ToolContext) => Promise<ToolAnswer>;

const ACTIONS: Readonly<Record<Args['action'], Action>> = {
  start,
  send_keys: sendKeys,
  capture,
  stream,
  stop: (_args, { lease }) => stop(lease),
};

/** With `reset` a terminal that is there ends first; without it that one is kept. */
async function start(args: Args, context: ToolContext): Promise<ToolAnswer> {
  const { lease } = context;
  if (!lease.sandbox.capabilities.tty) return failed('tmux: this sandbox has no terminals');
  if (lease.terminal?.isOpen && !args.reset)
    return answer(lease, lease.terminal, args, context, { already_running: true });
  await lease.terminal?.close();
  lease.hasRun = true;
  const size = { cols: args.pane_width, rows: args.pane_height };
  const terminal = await Terminal.open(lease.sandbox, size);
  lease.terminal = terminal;
  await terminal.untilPrompt(0, deadline(args, context));
  return answer(lease, terminal, args, context);
}

/** `block` waits until the shell asks for the next command; the terminal lives on where it does not come in time. */
async function sendKeys(args: Args, context: ToolContext): Promise<ToolAnswer> {
  const terminal = openTerminal(context.lease);
  if (terminal === null) return notStarted;
  const signal = deadline(args, context);
  const before = terminal.prompts;
  await terminal.type(bytesOfKeys(args.keys));
  const hasEnded = !args.block || (await terminal.untilPrompt(before, signal));
  if (!args.block) await pause(args.min_wait_s * 1000, signal);
  const shown = await answer(context.lease, terminal, args, context);
  if (hasEnded) return shown;
  const error = 'the command still runs; the terminal is there';
  return { ...shown, success: false, error, metadata: { ...shown.metadata, timeout: true } };
}

async function capture(args: Args, context: ToolContext): Promise<ToolAnswer> {
  const { terminal } = context.lease;
  return terminal === null ? notStarted : answer(context.lease, terminal, args, context);
}

/** Raw output since the last `stream`; with `reset` all that is kept. */
async function stream(args: Args, { lease, limits }: ToolContext): Promise<ToolAnswer> {
  if (lease.terminal === null) return notStarted;
  const maxBytes = Math.min(args.max_bytes ?? limits.outputChars, limits.artifactBytes);
  const { bytes, lost, left } = lease.terminal.take(maxBytes, args.reset);
  const { isOpen } = lease.terminal;
  const metadata = { bytes: bytes.length, lost, left, running: isOpen, ...isolationOf(lease) };
  return done(bytes.toString('utf8'), metadata);
}

async function stop(lease: Lease): Promise<ToolAnswer> {
  await lease.terminal?.close();
  lease.terminal = null;
  return done('');
}

function openTerminal({ terminal }: Lease): Terminal | null {
  return terminal?.isOpen === true ? terminal : null;
}

const notStarted: ToolAnswer = failed('tmux: no terminal runs here; action start opens one');

async function answer(
  lease: Lease,
  terminal: Terminal,
  args: Args,
  { limits }: ToolContext,
  more: ToolAnswer['metadata'] = {},
): Promise<ToolAnswer> {
  const { text, isCut } = headOf(await terminal.text(args.capture_entire), limits.outputChars);
  const metadata = { running: terminal.isOpen, ...isolationOf(lease), ...more };
  return done(text, isCut ? { ...metadata, truncated: true } : metadata);
}

/** `max_wait_s`, but not longer than the whole call may take; a reset ends it too. */
function deadline({ max_wait_s: most }: Args, { timeoutMs, signal }: ToolContext): AbortSignal {
  const waitMs = most === undefined ? timeoutMs : Math.min(most * 1000, timeoutMs);
  return AbortSignal.any([AbortSignal.timeout(waitMs), signal]);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
