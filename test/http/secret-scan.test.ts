import { expect, test } from 'vitest';
import { SecretScan } from '../e2e/marked-secrets/secret-scan.ts';

test('the scan finds a secret in each of its forms, and no other text', () => {
  const value = 'a "marked" secret & of a server';
  const plant = (text: string | Buffer) => {
    const scan = new SecretScan();
    scan.mark('planted', value);
    scan.note('a place', text);
    return scan.findings().length > 0;
  };
  const pem = `-----BEGIN X-----\n${'abcdefghijklmnopqrstuvwx01234567'.repeat(2)}\nzyxwvutsrqponmlkjihgfedcba987654\n`;
  const scan = new SecretScan();
  scan.mark('key', pem);
  scan.note('a line of it', 'x zyxwvutsrqponmlkjihgfedcba987654 y');
  expect(scan.findings()).toMatchObject([{ secret: 'key', form: 'as a line of it' }]);
  for (const text of [value, JSON.stringify({ value }), encodeURIComponent(value), Buffer.from(`\0\xff${value}`)])
    expect(plant(text), String(text)).toBe(true);
  for (const before of ['', 'x', 'x:'])
    for (const form of ['base64', 'base64url', 'hex'] as const)
      expect(plant(Buffer.from(`${before}${value}!`).toString(form)), form).toBe(true);
  expect(plant(`cvp_${'x'.repeat(43)}`)).toBe(true);
  expect(plant('a marked secret of a server, cvp_short')).toBe(false);
});
