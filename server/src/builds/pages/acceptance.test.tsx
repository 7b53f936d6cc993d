import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { aPageContext } from '../../../../test/support/page-context.ts';
import { aClosedBuild, aFlag, aResult } from '../../../../test/support/records.ts';
import type { BuildResult } from '../../core/builds/build.ts';
import { Acceptance } from './acceptance.tsx';

const { links, now } = aPageContext();
const show = (result: Partial<BuildResult>, csrf: string | undefined = 'secret'): string => {
  const build = aClosedBuild({ result: aResult(result) });
  const flags = build.result?.flags ?? [];
  return renderToString(<Acceptance build={build} flags={flags} links={links} csrf={csrf || undefined} now={now} />);
};
const FAILED = { verdict: { ...aResult().verdict, state: 'failure' } } as const;
const by = { by: 'mona', at: Date.UTC(2026, 10, 19), reason: '<b>next</b> week', holds: true };

test('a failure has a form for who may accept it, of this result alone', () => {
  const html = show(FAILED);
  expect(html).toContain('method="post" action="/builds/71/accept"');
  expect(html).toContain('<input type="hidden" name="csrf" value="secret"');
  expect(html).toContain('name="closed_at" value="1970-01-01T00:00:02.000Z"');
  expect(html).toMatch(/<input id="accept-reason" name="reason" required maxlength="500"/i);
  expect([show(FAILED, ''), show({})]).toEqual(['', '']);
  expect(show({ flags: [aFlag('ui', FAILED)] })).toContain('accept-reason');
  expect(show({ verdict: { ...FAILED.verdict, state: 'incomplete' } })).toBe('');
});

test('an accepted one says by whom and why, and can be taken back by who may', () => {
  const html = show({ ...FAILED, acceptance: by });
  expect(html.replace(/<[^>]*>/g, '')).toContain('Accepted by mona, yesterday: &lt;b>next&lt;/b> week');
  expect(html).toContain('action="/builds/71/accept/undo"');
  expect(html).not.toContain('accept-reason');
});

test('one that no longer holds says so, and can be accepted again', () => {
  const html = show({ ...FAILED, acceptance: { ...by, holds: false } });
  expect(html).toContain('none of the checks that fail now');
  expect(html).toContain('accept-reason');
});
