import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateStore } from './location.ts';

describe('the name of a store', () => {
  it.each([
    ['mongodb://Alice:s3cret@B:27017,a:27018/coverage?replicaSet=rs0', 'mongodb://a:27018,b/coverage'],
    [
      'mongodb+srv://cluster.example/coverage?tlsCertificateKeyFilePassword=s3cret',
      'mongodb+srv://cluster.example/coverage',
    ],
    ['MongoDB://[::1]:27017/x', 'mongodb://[::1]/x'],
    ['sqlite:/nowhere/./data/x.db', 'sqlite:/nowhere/data/x.db'],
  ])('of %s is %s', (url, name) => {
    expect(locateStore('--from', url).name).toBe(name);
  });

  it('never holds anything of a password, nor does a refusal, however it is written', () => {
    const part = fc.string({
      unit: fc.constantFrom('a', '1', '@', '/', '?', ':', '#', '%', '&', '=', ','),
      maxLength: 8,
    });
    fc.assert(
      fc.property(part, part, (before, after) => {
        const url = `mongodb://me:${before}hush${after}@host/coverage?appName=x`;
        expect(outcomeOf(url)).not.toContain('hush');
      }),
      { numRuns: 2_000 },
    );
  });
});

function outcomeOf(url: string): string {
  try {
    return locateStore('--from', url).name;
  } catch (error) {
    return String(error);
  }
}
