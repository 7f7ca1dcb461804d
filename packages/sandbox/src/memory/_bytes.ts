/** All of a file's or standard input's data as one array that nobody else holds. */
export async function collectBytes(
  data: Uint8Array | string | AsyncIterable<Uint8Array>,
): Promise<Uint8Array> {
  if (typeof data === 'string') return new TextEncoder().encode(data);
  if (data instanceof Uint8Array) return data.slice();
  const chunks: Uint8Array[] = [];
  for await (const chunk of data) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}
