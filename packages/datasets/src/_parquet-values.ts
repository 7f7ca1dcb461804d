import type { JsonObject, JsonValue } from '@hermes/protocol';

/** A row as parquet has it, in JSON: whole numbers of 64 bits as decimal strings, times as ISO 8601, bytes as base64. */
export function toJsonRow(row: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toJson(value)]));
}

/** Text columns often carry no mark that they are text, so bytes are text wherever they can be. */
export function bytesToText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return toBase64(bytes);
  }
}

function toJson(value: unknown): JsonValue {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'object' && value !== null ? toJsonContainer(value) : null;
}

function toJsonContainer(value: object): JsonValue {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return toBase64(value);
  if (Array.isArray(value)) return value.map(toJson);
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as Iterable<unknown>, toJson);
  return toJsonRow(value as Record<string, unknown>);
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
