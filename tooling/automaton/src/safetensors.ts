import { type Tensor, tensorBytes } from './tensor.ts';

/** A file of tensors as the `safetensors` library reads it: the length of a JSON header, the header, the numbers. */
export function writeSafetensors(tensors: ReadonlyMap<string, Tensor>): Uint8Array {
  let end = 0;
  const header: Record<string, object> = { __metadata__: { format: 'pt' } };
  for (const [name, { shape, values }] of tensors) {
    const start = end;
    end += values.length * 4;
    header[name] = { dtype: 'F32', shape, data_offsets: [start, end] };
  }
  const text = JSON.stringify(header);
  // The numbers begin at a multiple of 8.
  const json = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, ...[...tensors.values()].map(tensorBytes)]);
}
