import type { Stage } from './stage.ts';
import type { Story } from './story.ts';

/**
 * From now on whatever is read of a story's repo is answered with 502, while statuses and comments arrive. Answers what
 * ends that.
 */
export function beginOutage({ github }: Stage, { repo }: Story): () => void {
  const own = `/repos/${repo}`;
  return github.faults.when(({ method, path }) =>
    method === 'GET' && (path === own || path.startsWith(`${own}/`)) ? { kind: 'status', status: 502 } : undefined,
  );
}
