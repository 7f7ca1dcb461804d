/** What the words of a message's header say. */
export type MessageHeader = Readonly<{
  /** Name of the function, when the message is a call. */
  name: string | undefined;
  kind: 'call' | 'reasoning' | 'content';
}>;

/** Reads `ROLE to=R <|channel|>CHANNEL to=R <|constrain|>TYPE`; unknown words are skipped. */
export function readHeader(text: string): MessageHeader {
  const recipient = /(?:^|[\s>])to=([^\s<]+)/.exec(text)?.[1]?.replace(/^functions\.(?=.)/, '');
  if (recipient !== undefined) return { name: recipient, kind: 'call' };
  const isAnalysis = /<\|channel\|>\s*analysis\b/.test(text);
  return { name: undefined, kind: isAnalysis ? 'reasoning' : 'content' };
}
