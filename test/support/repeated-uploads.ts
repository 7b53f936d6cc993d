import { type CoverageApi, job, shaOf } from './coverage-api.ts';
import { waitFor } from './wait-for.ts';

/** Uploads one job after another, and tries each again until it is taken, as the action does. */
export function uploadOn(api: CoverageApi, repo_token: string) {
  let taken = 0;
  let isOver = false;
  const isTaken = async (): Promise<boolean> => {
    const number = String(1_000 + taken);
    const fields = { repo_token, service_number: number, service_job_id: number, commit_sha: shaOf(number) };
    return (await api.uploadJob(job(fields))).status === 200;
  };
  const work = (async () => {
    while (!isOver) {
      await waitFor(isTaken, { what: `upload ${taken} to be taken`, timeoutMs: 60_000, intervalMs: 100 });
      taken += 1;
    }
  })();
  const more = (): Promise<unknown> => {
    const goal = taken + 5;
    return waitFor(() => taken >= goal, { what: 'more uploads to be taken', timeoutMs: 60_000 });
  };
  const end = async (): Promise<number> => {
    isOver = true;
    await work;
    return taken;
  };
  return { more, end };
}
