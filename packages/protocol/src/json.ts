/** Any value that `JSON.stringify` writes and `JSON.parse` reads back unchanged. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON Schema document, as models and tool servers exchange it. */
export type JsonSchema = JsonObject;
