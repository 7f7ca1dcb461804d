import { builtinParsers, createParserRegistry, markedJsonParser } from '@hermes/parsers';

/** A model of our own. It writes `@@call {"tool": "ls", "with": {"path": "."}} @@end`. */
export const ourParser = markedJsonParser({
  name: 'our_model',
  aliases: ['our_model_2'],
  reasoning: [['<thought>', '</thought>']],
  endOfTurn: ['<eot>'],
  opens: ['@@call'],
  close: '@@end',
  keys: { name: ['tool'], arguments: ['with'] },
  writeCall: ({ function: { name, arguments: text } }) =>
    `{"tool": ${JSON.stringify(name)}, "with": ${text}}`,
  writeBlocks: (calls) => calls.map((call) => `@@call ${call} @@end`),
});

/** All formats of the package, and ours. */
export const registry = createParserRegistry([...builtinParsers, ourParser]);
