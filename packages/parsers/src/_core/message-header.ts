/** What the words of a message's header say. */
export type MessageHeader = Readonly<{
  /** Name of the function, when the message is a call. */
  name: string | undefined;
  kind: 'call' | 'reasoning' | 'content';
  /** Whether there are words that mean nothing here. */
  hasUnknown: boolean;
}>;

const token = /(<\|(?:start|channel|constrain|message)\|>)/;
const knownWord = /^(?:assistant|analysis|commentary|final|json|code|to=.*)$/;

/** Reads `ROLE to=R <|channel|>CHANNEL to=R <|constrain|>TYPE`; unknown words are skipped. */
export function readHeader(text: string): MessageHeader {
  const words = text
    .split(token)
    .flatMap((part) => part.split(/\s+/))
    .filter(Boolean);
  const name = words
    .find((word) => /^to=./.test(word))
    ?.slice(3)
    .replace(/^functions\.(?=.)/, '');
  const isAnalysis = words[words.indexOf('<|channel|>') + 1] === 'analysis';
  const kind = name !== undefined ? 'call' : isAnalysis ? 'reasoning' : 'content';
  return {
    name,
    kind,
    hasUnknown: words.some((word) => !knownWord.test(word) && !token.test(word)),
  };
}
