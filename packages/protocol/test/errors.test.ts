import { expect, it } from 'vitest';
import { HermesError, ModelError } from '../src/index.ts';

it('is recognised across two copies of the package', () => {
  const foreign = Object.defineProperty(new Error('x'), Symbol.for('hermes.error'), {
    value: true,
  });
  expect(HermesError.isInstance(foreign)).toBe(true);
  expect(HermesError.isInstance(new ModelError('AUTH', 'no key'))).toBe(true);
});

it.each([[new Error('x')], [null], ['hermes.error'], [{ code: 'AUTH' }]])(
  'does not take %o for one of ours',
  (value) => {
    expect(HermesError.isInstance(value)).toBe(false);
  },
);

it('becomes data with its details, and without its cause', () => {
  const cause = new Error('socket');
  const error = new HermesError('sandbox', 'LOST', 'The sandbox is gone; create another.', {
    retryable: true,
    details: { sandboxId: 's1' },
    cause,
  });
  expect(error.cause).toBe(cause);
  expect(error.toInfo()).toEqual({
    boundary: 'sandbox',
    code: 'LOST',
    message: 'The sandbox is gone; create another.',
    retryable: true,
    details: { sandboxId: 's1' },
  });
});

it('is not retryable and has no details unless told so', () => {
  const info = new ModelError('TIMEOUT', 'slow').toInfo();
  expect(info).toEqual({ boundary: 'model', code: 'TIMEOUT', message: 'slow', retryable: false });
  expect(Object.keys(new ModelError('TIMEOUT', 'slow'))).not.toContain('cause');
});
