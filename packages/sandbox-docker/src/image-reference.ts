/** The characters of `[HOST/]NAME[:TAG]`, and of a digest in a tag's place. */
export const IMAGE_NAME: RegExp = /^[\w.:/@[\]-]+$/;

/** The tag of an image's name; without one `latest`. A digest takes a tag's place. */
export function splitReference(ref: string): { fromImage: string; tag: string } {
  const digest = ref.indexOf('@');
  if (digest >= 0) return { fromImage: ref.slice(0, digest), tag: ref.slice(digest + 1) };
  const colon = ref.lastIndexOf(':');
  if (colon < 0 || ref.includes('/', colon)) return { fromImage: ref, tag: 'latest' };
  return { fromImage: ref.slice(0, colon), tag: ref.slice(colon + 1) };
}

/** Where a registry answers for an image; on the loopback without TLS, as the daemon does it. */
export function manifestUrl(ref: string): string {
  const { fromImage, tag } = splitReference(ref);
  const [first = '', ...rest] = fromImage.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const host = isHost ? first : 'registry-1.docker.io';
  const name = isHost ? rest.join('/') : fromImage.includes('/') ? fromImage : `library/${first}`;
  const scheme = /^(127\.|localhost(:|$)|\[::1\])/.test(host) ? 'http' : 'https';
  return `${scheme}://${host}/v2/${name}/manifests/${tag}`;
}
