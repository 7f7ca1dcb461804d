import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as parsers from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(parsers).sort()).toEqual([
    'ConvertError',
    'FormatNotDetectedError',
    'RenderError',
    'UnknownFormatError',
    'builtinParsers',
    'compactJson',
    'convert',
    'createParser',
    'createParserRegistry',
    'detect',
    'explainDiagnostic',
    'getParser',
    'listParsers',
    'markedJsonParser',
  ]);
});

it('has no runtime dependencies', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(text)).not.toHaveProperty('dependencies');
});
