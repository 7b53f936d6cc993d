import { REPO_SERVICES } from '../../../server/src/core/repo/repo.ts';
import type { Deployment } from './deployment.ts';

/** What a failover may make a server say; nothing else may be said as an error. */
const OF_FAILOVER =
  /MongoDB (does not answer in time|gave no answer within)|Cannot use the database \S+ of DATABASE_URL/;

/** What a start says of a git host that gave no answer. */
const OF_HOST_TROUBLE = new RegExp(`"check":"(?:${REPO_SERVICES.join('|')})-`);

/** What was done to what the servers need. */
interface Disturbed {
  readonly hasFailovers: boolean;
  readonly hasHostTrouble: boolean;
}

/** Every instance answers its probes, and none has said that something went wrong except for what was disturbed. */
export async function checkServers(deployment: Deployment, disturbed: Disturbed): Promise<readonly string[]> {
  const probes = await Promise.all(deployment.servers.map(({ url }) => checkProbes(url)));
  const lines = deployment.servers.flatMap((server) => server.output());
  const starts = deployment
    .failedStarts()
    .filter((text) => !(disturbed.hasFailovers && (OF_FAILOVER.test(text) || /did not listen/.test(text))));
  return [
    ...probes.flat(),
    ...lines.filter((line) => isWrong(line, disturbed)).map((line) => `a server wrote: ${line.slice(0, 1_500)}`),
    ...starts.map((text) => `a server did not start: ${text}`),
  ];
}

async function checkProbes(url: string): Promise<readonly string[]> {
  const answers = await Promise.all(
    ['/healthz', '/readyz'].map(async (path) => {
      const answer = await fetch(url + path, { signal: AbortSignal.timeout(20_000) }).catch((error: unknown) => error);
      const status = answer instanceof Response ? answer.status : String(answer);
      return status === 200 ? [] : [`${url}${path}: ${status}`];
    }),
  );
  return answers.flat();
}

function isWrong(line: string, { hasFailovers, hasHostTrouble }: Disturbed): boolean {
  const level = levelOf(line);
  if (level === 'warn' || level === 'info' || level === 'debug') return false;
  return !((hasFailovers && OF_FAILOVER.test(line)) || (hasHostTrouble && OF_HOST_TROUBLE.test(line)));
}

/** Undefined for what is no log line: a stack that ended the process, or a warning of the runtime. */
function levelOf(line: string): unknown {
  try {
    return (JSON.parse(line) as { readonly level?: unknown }).level;
  } catch {
    return undefined;
  }
}
