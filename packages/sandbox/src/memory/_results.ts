import type { FileCode, FileResult } from '../types.ts';

export function found<Value>(value: Value): FileResult<Value> {
  return { ok: true, value };
}

export function failed<Value>(code: FileCode, path: string): FileResult<Value> {
  return { ok: false, code, path };
}
