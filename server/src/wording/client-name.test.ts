import { expect, test } from 'vitest';
import { clientName } from './client-name.ts';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox 128 on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 ' +
      'Edg/126.0.0.0',
    'Edge 126 on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 ' +
      'Mobile Safari/537.36',
    'Chrome 126 on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 ' +
      'Mobile/15E148 Safari/604.1',
    'Safari 17 on iOS',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 ' +
      'Safari/605.1.15',
    'Safari 17 on macOS',
  ],
  ['coverage-service-action/0.2.0', 'Coverage action 0.2.0'],
  ['coverage-service-command/0.2.0 (github)', 'Coverage command 0.2.0'],
  ['curl/8.5.0', 'curl 8.5.0'],
  ['what <b>is</b> this?', 'what <b>is</b> this?'],
  ['', ''],
])('%s is %s', (userAgent, name) => {
  expect(clientName(userAgent)).toBe(name);
});
