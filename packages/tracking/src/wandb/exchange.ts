import type { JsonObject } from '@hermes/protocol';

/** One question at a time, until the end. */
export type Exchange = Readonly<{
  /** Rejects with what `end` was told, before or after. */
  ask: (send: () => void) => Promise<JsonObject>;
  answer: (value: JsonObject) => void;
  /** The first reason stays. */
  end: (error: Error) => void;
}>;

type Question = Readonly<{ resolve: (value: JsonObject) => void; reject: (error: Error) => void }>;

/** Nothing is asked yet. */
export function createExchange(): Exchange {
  let open: Question | null = null;
  let over: Error | null = null;
  return {
    ask: (send) =>
      new Promise((resolve, reject) => {
        if (over !== null) return reject(over);
        open = { resolve, reject };
        send();
      }),
    answer: (value) => {
      open?.resolve(value);
      open = null;
    },
    end: (error) => {
      over ??= error;
      open?.reject(over);
      open = null;
    },
  };
}
