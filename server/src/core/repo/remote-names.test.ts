import { expect, test } from 'vitest';
import { namesOfRemotes } from './remote-names.ts';

test.each([
  ['https://host.example/Acme/Shop.git', ['acme/shop']],
  ['git@host.example:acme/shop.git ssh://git@host.example/group/sub/shop', ['acme/shop', 'group/sub/shop']],
  ['https://host.example/acme/shop/', ['acme/shop']],
  ['https://host.example shop', []],
  ['', []],
])('%s names %j', (remotes, names) => expect(namesOfRemotes(remotes)).toEqual(names));
