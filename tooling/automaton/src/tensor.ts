/** A tensor of 32-bit floats, row by row. */
export type Tensor = Readonly<{ shape: readonly number[]; values: Float32Array }>;

/** A tensor of zeros, or of one number. */
export function filled(shape: readonly number[], value = 0): Tensor {
  const length = shape.reduce((product, size) => product * size, 1);
  return { shape, values: new Float32Array(length).fill(value) };
}

/** Sets one number of a matrix. */
export function setAt({ shape, values }: Tensor, row: number, column: number, value: number): void {
  const columns = shape[1] ?? 0;
  if (column >= columns || row >= (shape[0] ?? 0))
    throw new Error(`no place ${row}, ${column} in a matrix of ${shape.join(' x ')}`);
  values[row * columns + column] = value;
}

/** The bytes of a tensor, little-endian on every machine. */
export function tensorBytes({ values }: Tensor): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (const [index, value] of values.entries()) view.setFloat32(index * 4, value, true);
  return new Uint8Array(view.buffer);
}
