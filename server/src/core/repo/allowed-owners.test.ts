import { expect, test } from 'vitest';
import { isAllowedOwner, readAllowedOwner } from './allowed-owners.ts';

test.each([
  ['acme', { service: undefined, owner: 'acme' }],
  ['ACME', { service: undefined, owner: 'acme' }],
  ['github/Acme', { service: 'github', owner: 'acme' }],
  ['github', { service: undefined, owner: 'github' }],
  ['acme/shop', undefined],
  ['github/acme/shop', undefined],
  ['*', undefined],
  ['', undefined],
  ['github/', undefined],
])('%j: %j', (text, owner) => {
  expect(readAllowedOwner(text)).toEqual(owner);
});

test('an owner counts whatever the case, at the provider named or at any', () => {
  const allowed = [
    { service: undefined, owner: 'acme' },
    { service: 'gitlab', owner: 'tools' },
  ] as const;
  expect(isAllowedOwner(allowed, { service: 'github', name: 'Acme/shop' })).toBe(true);
  expect(isAllowedOwner(allowed, { service: 'gitlab', name: 'tools/sub/app' })).toBe(true);
  expect(isAllowedOwner(allowed, { service: 'github', name: 'tools/app' })).toBe(false);
  expect(isAllowedOwner(allowed, { service: 'github', name: 'acme-two/acme' })).toBe(false);
  expect(isAllowedOwner([], { service: 'github', name: 'acme/shop' })).toBe(false);
});
