import { asStarted } from '../../messages/programs.ts';
import type { Examination } from '../examine-server.ts';

/** What `/readyz?verbose` and `npm run doctor -- --json` say. */
export function presentExamination({ status, checks }: Examination) {
  return {
    status,
    checks: checks.map(({ name, state, seen, remedy }) => ({
      name,
      state,
      seen: asStarted(seen),
      remedy: remedy === undefined ? null : asStarted(remedy),
    })),
  };
}
