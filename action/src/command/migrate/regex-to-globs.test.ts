import { parseGlob } from '@coverage/shared/glob';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { regexToGlobs, translatePattern } from './regex-to-globs.ts';

test.each<[string, ReturnType<typeof translatePattern>]>([
  ['vendor', ['vendor']],
  ['./docs/', ['docs/']],
  ['**/*.test.ts', ['**/*.test.ts']],
  ['src/*.pb.go', ['src/*.pb.go']],
  ['.*\\.pb\\.go$', ['**/*.pb.go']],
  ['.*\\.pb\\.go', ['**/*.pb.go*', '**/*.pb.go*/**']],
  ['^src/gen/.*', ['src/gen/**']],
  ['^src/gen', ['src/gen*', 'src/gen*/**']],
  ['(api|web)/gen/', ['api/gen/**', 'web/gen/**']],
  ['.*/mocks/.*', ['*/**/mocks/**']],
  ['.*_[^/]+\\.go$', ['**/*_?*.go']],
  ['v[0-9]/.*', ['v[0-9]/**']],
  ['.*x.go$', ['**/*x?go', '**/*x/go']],
  ['^(lib|src/a\\.ts)$', ['li[b]', 'src/a.ts']],
  ['src/**.ts', ['src/**/*.ts']],
  ['a/**b', ['a/**/*b']],
  ['!src/keep', 'negated'],
  ['.*\\d\\.ts$', 'regex'],
  ['(?!src).*', 'regex'],
  ['.*\\bgen\\b.*', 'regex'],
  ['a{2}.*', 'regex'],
  ['src/**/{a,b}.ts', 'braces'],
  ['my files/**', 'blank'],
])('%s', (pattern, expected) => expect(translatePattern(pattern)).toEqual(expected));

const piece = fc.constantFrom('a', 'b', '/', '\\.', '.', '.*', '.+', '[^/]*', '[^/]+', '[ab]', '[^a]', '(a|/b)', 'b?');
const regex = fc
  .tuple(fc.constantFrom('', '^'), fc.array(piece, { minLength: 1, maxLength: 5 }), fc.constantFrom('', '$'))
  .map(([start, pieces, end]) => start + pieces.join('') + end);
const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'x'), minLength: 1, maxLength: 3 });
const path = fc.array(
  name.filter((text) => !/^\.+$/.test(text)),
  { minLength: 1, maxLength: 4 },
);

test('the globs match what the expression matches from the beginning of a path, and nothing else', () => {
  let translated = 0;
  fc.assert(
    fc.property(regex, fc.array(path, { minLength: 5, maxLength: 20 }), (expression, parts) => {
      const globs = regexToGlobs(expression);
      if (globs === undefined) return;
      translated += 1;
      const patterns = globs.map(parseGlob);
      const paths = parts.map((names) => names.join('/'));
      const matched = paths.filter((one) => new RegExp(`^(?:${expression})`).test(one));
      expect(paths.filter((one) => patterns.some(({ matches }) => matches(one)))).toEqual(matched);
    }),
    { numRuns: 3000 },
  );
  expect(translated).toBeGreaterThan(1500);
});
