import type { Examination } from '../../use-cases/doctor/examine-server.ts';

/** What `/readyz?verbose` and `npm run doctor -- --json` say. */
export function presentExamination({ status, checks }: Examination) {
  return { status, checks: checks.map(({ name, state, seen, remedy = null }) => ({ name, state, seen, remedy })) };
}
