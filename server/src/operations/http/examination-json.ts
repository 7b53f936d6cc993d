import { asStarted } from '../../platform/sentences.ts';
import { withDocsAddresses } from '../../platform/web/docs-links.tsx';
import type { Examination } from '../examine-server.ts';

/** What `/readyz?verbose` and `npm run doctor -- --json` say. `baseUrl`: where the docs of this version are shown. */
export function presentExamination({ status, checks }: Examination, baseUrl: string | undefined) {
  const told = (text: string): string =>
    withDocsAddresses(asStarted(text), (page) =>
      baseUrl === undefined ? `docs/${page}.md` : `${baseUrl}/docs/${page}`,
    );
  return {
    status,
    checks: checks.map(({ name, state, seen, remedy }) => ({
      name,
      state,
      seen: told(seen),
      remedy: remedy === undefined ? null : told(remedy),
    })),
  };
}
