/** Proves the format with the kit of the package: each text in one piece and in chunks; then writes messages and reads them again. */
import { strict as assert } from 'node:assert';
import { checkParser } from '@hermes/parsers/testing';
import { ourParser, registry } from './our-parser.js';

const call = (text) => ({ name: 'ls', arguments: text });

assert.deepEqual(
  checkParser(ourParser, [
    {
      name: 'text, reasoning and a call',
      text: '<thought>Look first.</thought>Ok.\n@@call {"tool": "ls", "with": {"path": "."}} @@end<eot>',
      content: 'Ok.',
      reasoning: 'Look first.',
      toolCalls: [call('{"path": "."}')],
    },
    {
      name: 'markers in a string are data',
      text: '@@call {"tool": "ls", "with": {"path": "@@end @@call {"}} @@end',
      content: null,
      toolCalls: [call('{"path": "@@end @@call {"}')],
    },
    {
      name: 'a broken call does not cost its neighbour',
      text: '@@call {"tool": "ls", "with": {oops}} @@end@@call {"tool": "ls"} @@end',
      content: null,
      toolCalls: [call('{}')],
    },
    { name: 'prose', text: 'Mail me @@ home.', content: 'Mail me @@ home.', toolCalls: [] },
  ]),
  [],
);

const cut = registry.get('our_model_2').parse('@@call {"tool": "ls", "wi');
assert.deepEqual(
  cut.diagnostics.map(({ code, name }) => [code, name]),
  [['truncated_call', 'ls']],
);

const message = registry.get('hermes').parse('<tool_call>{"name": "ls"}</tool_call>');
const text = ourParser.render(message);
assert.equal(text, '@@call {"tool": "ls", "with": {}} @@end');
assert.throws(() => ourParser.render({ ...message, content: text }), /cannot carry/);
assert.throws(() => registry.get('our_modle'), /our_model/);
