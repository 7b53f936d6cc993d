import { expect, test } from 'vitest';
import { aPageContext } from '../../../../test/support/page-context.ts';
import { withDocsAddresses } from './docs-links.tsx';
import { renderFailurePage } from './failure-page.tsx';

const NAMES = 'See docs/api.md, "Preview". The file "docs/rules.md" of web/docs/a.md is text.';

test('a page that a sentence names is a link; what was sent, or is part of a longer path, is text', () => {
  expect(withDocsAddresses(NAMES, (page) => `https://coverage.example/docs/${page}`)).toBe(
    'See https://coverage.example/docs/api, "Preview". The file "docs/rules.md" of web/docs/a.md is text.',
  );
  const shown = { status: 422, title: 'Refused', message: NAMES, request: '1' };
  const page = [...renderFailurePage(shown, aPageContext())].join('');
  expect(page).toContain('See <a href="/docs/api">docs/api.md</a>, &quot;Preview');
  expect(page).toContain('&quot;docs/rules.md&quot; of web/docs/a.md');
});
