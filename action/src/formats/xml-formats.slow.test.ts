import { expect, test } from 'vitest';
import { reportInMemory } from '../../../test/support/report-in-memory.ts';
import { XML_SAMPLES } from '../../../test/support/xml-samples.ts';
import { formatNamed } from './formats.ts';

test.each(Object.entries(XML_SAMPLES))('%s of a million lines', (name, [start, piece, end]) => {
  const [few, many] = [3, 1_000_000].map((times) =>
    formatNamed(name)?.parse(reportInMemory('r.xml', start + piece.repeat(times) + end)),
  );
  const [file] = many?.files ?? [];
  expect(file?.coverage()).toEqual(few?.files[0]?.coverage());
  expect(file?.countBranches()).toEqual(few?.files[0]?.countBranches());
});
