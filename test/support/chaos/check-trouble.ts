import type { Deployment } from './deployment.ts';
import type { SeenBuild } from './outcome.ts';

/** Once the host answers again no verdict waits for it any more. */
export function checkVerdicts(seen: readonly SeenBuild[]): readonly string[] {
  return seen.flatMap(({ repo, json }) => {
    const since = json.provisional_since ?? undefined;
    if (since === undefined && json.verdict?.provisional !== true) return [];
    return [`build ${json.id} of ${repo} has been provisional since ${since}, closed at ${json.closed_at}`];
  });
}

/** What servers logged of their deliveries. */
export interface DeliveryLog {
  /** How often one was put off, whatever for. */
  readonly retries: number;
  /** How often a question to the host was given up for the moment. */
  readonly unanswered: number;
  readonly parked: readonly Parked[];
}

interface Parked {
  /** What a delivery is about: a comment's pull request, else a status. */
  readonly pullRequest: number | undefined;
  readonly reason: string;
}

/** The lines that the outbox and the questions write; the wording is theirs. */
export function readDeliveryLog(deployment: Deployment): DeliveryLog {
  const lines = deployment.servers.flatMap((server) => server.output().flatMap(parseLine));
  const saying = (text: string): typeof lines => lines.filter(({ msg }) => msg?.startsWith(text) === true);
  return {
    retries: saying('not delivered; it will be tried again').length,
    unanswered: saying('the provider gave no answer').length,
    parked: saying('not delivered; given up').map(({ pullRequest, reason = '' }) => ({ pullRequest, reason })),
  };
}

/** Only what the host refused for good may be given up. */
export function checkParked({ parked }: DeliveryLog, locked: (pullRequest: number) => boolean): readonly string[] {
  const wrong = parked.filter(({ pullRequest }) => pullRequest === undefined || !locked(pullRequest));
  return wrong.map(
    ({ pullRequest, reason }) => `given up (pull request ${pullRequest ?? 'none: a status'}): ${reason}`,
  );
}

interface Line {
  readonly msg?: string;
  readonly pullRequest?: number;
  readonly reason?: string;
}

function parseLine(line: string): readonly Line[] {
  try {
    return [JSON.parse(line) as Line];
  } catch {
    return [];
  }
}
