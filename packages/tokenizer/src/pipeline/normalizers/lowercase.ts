/** Lower case character by character: a sigma at the end of a word is one like any other. */
export function lowercase(text: string): string {
  if (!text.includes('Σ')) return text.toLowerCase();
  return text
    .split('Σ')
    .map((part) => part.toLowerCase())
    .join('σ');
}
