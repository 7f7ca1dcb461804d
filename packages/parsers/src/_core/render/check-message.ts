import type { RenderableMessage } from '../../types.ts';
import { scanWhole } from '../json/json-text.ts';
import { requireType } from '../options.ts';
import { TextWindow } from '../text-window.ts';
import { RenderError } from './render-error.ts';

const strictly = { repair: false, maxDepth: 1000 };

/**
 * Throws a `TypeError` that names the part of a message with a wrong type, and a `RenderError` of
 * this format when the arguments of a call are no JSON object.
 */
export function checkMessage(message: RenderableMessage, format: string): void {
  requireType(message, {}, 'render');
  const { content, reasoning, toolCalls } = message;
  if (content !== null) requireType(content, '', 'content');
  if (reasoning !== null) requireType(reasoning, '', 'reasoning');
  requireType(toolCalls, [], 'toolCalls');
  for (const { function: called } of toolCalls) {
    requireType(called, {}, 'function of a call');
    requireType(called.name, '', 'name of a call');
    requireType(called.arguments, '', `arguments of ${called.name}`);
    if (!isObject(called.arguments))
      throw new RenderError(format, `arguments of ${called.name} that are no JSON object`);
  }
}

function isObject(json: string): boolean {
  return scanWhole(new TextWindow(json, true), strictly)?.startsWith('{') === true;
}
