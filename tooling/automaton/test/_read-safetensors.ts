/** The bytes of each tensor, in hexadecimal by its name. */
export function readSafetensors(file: Uint8Array): Map<string, string> {
  const buffer = Buffer.from(file);
  const start = 8 + Number(buffer.readBigUInt64LE());
  const header = JSON.parse(buffer.toString('utf8', 8, start)) as Record<
    string,
    { data_offsets?: [number, number] }
  >;
  return new Map(
    Object.entries(header).flatMap(([name, { data_offsets: offsets }]) =>
      offsets === undefined
        ? []
        : [[name, buffer.toString('hex', start + offsets[0], start + offsets[1])] as const],
    ),
  );
}
