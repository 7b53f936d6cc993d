import { expect, test } from 'vitest';
import { withoutUserinfo } from './remote-url.ts';

test.each([
  ['https://x-access-token:ghs_secret@github.com/o/r.git', 'https://github.com/o/r.git'],
  ['https://user@github.com/o/r?token=secret#secret', 'https://github.com/o/r'],
  ['ssh://git:pw@host:22/o/r', 'ssh://host:22/o/r'],
  ['git@github.com:o/r.git', 'github.com:o/r.git'],
  ['https://a:p@ss@host/x', 'https://host/x'],
  ['http://bad host:x@y/z', 'http://y/z'],
  ['https://github.com/o/r', 'https://github.com/o/r'],
  ['/srv/git/r.git', '/srv/git/r.git'],
  ['../r@2', '../r@2'],
])('%s', (url, clean) => expect(withoutUserinfo(url)).toBe(clean));
