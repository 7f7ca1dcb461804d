const END = '</think>';

/** What a model said after its reasoning, where that stands in the text. */
export function afterReasoning(response: string): string {
  const end = response.lastIndexOf(END);
  return end === -1 ? response : response.slice(end + END.length);
}
