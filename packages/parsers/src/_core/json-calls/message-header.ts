/** What the words of a message's header say. */
export type MessageHeader = Readonly<{
  /** Name of the function, when the message is a call. */
  name: string | undefined;
  kind: 'call' | 'reasoning' | 'content';
  /** Whether there are words that mean nothing here. */
  hasUnknown: boolean;
}>;

const part = /<\|(?:start|channel|constrain|message)\|>|[^\s<]+|</g;
const known: ReadonlySet<string> = new Set([
  '<|start|>',
  '<|channel|>',
  '<|constrain|>',
  '<|message|>',
  'assistant',
  'analysis',
  'commentary',
  'final',
  'json',
  'code',
]);
const own = 'functions.';

/** Reads `ROLE to=R <|channel|>CHANNEL to=R <|constrain|>TYPE`; unknown words are skipped. */
export function readHeader(text: string): MessageHeader {
  const words: readonly string[] = text.match(part) ?? [];
  const isRecipient = (word: string): boolean => word.startsWith('to=') && word.length > 3;
  const to = words.find(isRecipient)?.slice(3);
  const name = to?.startsWith(own) && to !== own ? to.slice(own.length) : to;
  const isAnalysis = words[words.indexOf('<|channel|>') + 1] === 'analysis';
  return {
    name,
    kind: name !== undefined ? 'call' : isAnalysis ? 'reasoning' : 'content',
    hasUnknown: words.some((word) => !known.has(word) && !isRecipient(word)),
  };
}
