/** Indices of the braces that are open at the end of the beginning of a JSON object. */
export function openBraces(text: string): readonly number[] {
  const open: number[] = [];
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 34) isInString = !isInString;
    else if (isInString) index += code === 92 ? 1 : 0;
    else if (code === 123) open.push(index);
    else if (code === 125) open.pop();
  }
  return open;
}
