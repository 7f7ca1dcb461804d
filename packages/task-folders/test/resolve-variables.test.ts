import { describe, expect, it } from 'vitest';
import { resolveVariables } from '../src/resolve-variables.ts';

describe('variables of the host', () => {
  it.each([
    ['plain', 'plain'],
    ['${KEY}', 'secret'],
    ['a-${KEY}-${KEY}', 'a-secret-secret'],
    ['${NONE:-fallback}', 'fallback'],
    ['${EMPTY:-fallback}', 'fallback'],
    ['${EMPTY}', ''],
    ['${KEY:-fallback}', 'secret'],
    ['${NONE:-}', ''],
    ['$KEY', '$KEY'],
  ])('%s becomes %j', (text, value) => {
    expect(resolveVariables({ A: text }, { KEY: 'secret', EMPTY: '' }, 'task')).toEqual({
      A: value,
    });
  });

  it('without a value or a default refuse the item, by name', () => {
    const resolve = () => resolveVariables({ A: '${NONE}' }, { KEY: 'secret' }, 'my-task');
    expect(resolve).toThrow(
      expect.objectContaining({ code: 'ITEM_INVALID', boundary: 'environment' }),
    );
    expect(resolve).toThrow('my-task: env A needs the variable NONE');
  });

  it('are not looked for among what every object has', () => {
    expect(() => resolveVariables({ A: '${constructor}' }, {}, 'task')).toThrow('constructor');
  });
});
