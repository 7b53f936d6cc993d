import { expect, test } from 'vitest';
import { describeCrash } from './crash.ts';

test('a bug is shown with its causes, and without what else it holds', () => {
  const cause = new Error('the socket ended');
  const error = Object.assign(new Error('cannot call', { cause }), {
    request: { headers: { authorization: 'cvr_x' } },
  });
  const shown = describeCrash(error);
  expect(shown).toMatch(/^Error: cannot call\n +at [\s\S]*\nError: the socket ended\n +at /);
  expect(shown).not.toContain('cvr_x');
  expect(describeCrash('a text')).toBe('a text');
});
