export { checkParser, type ParserFixture } from './check-parser.ts';
