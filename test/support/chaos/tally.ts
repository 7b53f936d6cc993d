/** The numbers of a round, or of several. */
export interface Tally {
  rounds: number;
  jobs: number;
  builds: number;
  /** Planned requests, one sent twice counted twice. */
  requests: number;
  /** Attempts that were not answered as wanted and were repeated, by the reason. */
  readonly retries: Map<string, number>;
  /** Closes and reruns that rightly found nothing to close yet. */
  tooEarly: number;
  serverKills: number;
  primaryKills: number;
  /** Starts that failed for want of a primary and were repeated. */
  failedStarts: number;
  statuses: number;
  commentWrites: number;
  /** For the git host. */
  calls: number;
  /** Among them those while it was in trouble. */
  callsInTrouble: number;
  /** Calls that met a fault, by its kind. */
  readonly faults: Map<string, number>;
  /** How often a delivery was put off. */
  deliveryRetries: number;
  /** How often a question was given up for the moment. */
  unanswered: number;
  /** How often a delivery was given up. */
  parked: number;
  /** See deliveryTimes(). */
  readonly deliveryTimes: number[];
  /** Milliseconds from the last repair until nothing was left to do; the longest of several rounds. */
  settledAfter: number;
  /** Milliseconds that a client took, retries included, until its request was answered. */
  worstWait: number;
  /** Milliseconds of one attempt that was answered, whatever with. */
  slowestAnswer: number;
  readonly findings: string[];
}

/** Enough to see what is wrong. */
const MAX_FINDINGS = 100;

export function emptyTally(): Tally {
  return {
    rounds: 0,
    jobs: 0,
    builds: 0,
    requests: 0,
    retries: new Map(),
    tooEarly: 0,
    serverKills: 0,
    primaryKills: 0,
    failedStarts: 0,
    statuses: 0,
    commentWrites: 0,
    calls: 0,
    callsInTrouble: 0,
    faults: new Map(),
    deliveryRetries: 0,
    unanswered: 0,
    parked: 0,
    deliveryTimes: [],
    settledAfter: 0,
    worstWait: 0,
    slowestAnswer: 0,
    findings: [],
  };
}

export function countRetry(tally: Tally, reason: string): void {
  tally.retries.set(reason, (tally.retries.get(reason) ?? 0) + 1);
}

export function addFindings(tally: Tally, findings: readonly string[]): void {
  tally.findings.push(...findings.slice(0, Math.max(0, MAX_FINDINGS - tally.findings.length)));
}

/** For people, one number on a line. */
export function showTally(tally: Tally): string {
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
  const rows: readonly (readonly [string, string | number])[] = [
    ['rounds', tally.rounds],
    ['jobs', `${tally.jobs} in ${tally.builds} builds`],
    ['requests', tally.requests],
    ['retries', showCounts(tally.retries)],
    ['closes and reruns that came too early', tally.tooEarly],
    ['servers killed', `${tally.serverKills}; starts that failed meanwhile: ${tally.failedStarts}`],
    ['elections (primaries killed)', tally.primaryKills],
    ['delivered', `${tally.statuses} statuses, ${tally.commentWrites} comments made or edited`],
    [
      'calls of the git host',
      `${tally.calls}, ${tally.callsInTrouble} of them in trouble; with faults: ${showCounts(tally.faults)}`,
    ],
    [
      'deliveries put off',
      `${tally.deliveryRetries}; given up: ${tally.parked}; questions left unanswered: ${tally.unanswered}`,
    ],
    ['from the last close to its status', showTimes(tally.deliveryTimes, seconds)],
    ['settled at the latest after', seconds(tally.settledAfter)],
    ['worst wait of a client, retries included', seconds(tally.worstWait)],
    ['slowest single answer', seconds(tally.slowestAnswer)],
    ['findings', tally.findings.length],
  ];
  return [
    ...rows.map(([what, value]) => `${what}: ${value}`),
    ...tally.findings.map((finding) => `  ! ${finding}`),
  ].join('\n');
}

function showCounts(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([what, count]) => `${count} ${what}`).join(', ') || 'none';
}

function showTimes(times: readonly number[], seconds: (ms: number) => string): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): string =>
    seconds(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return `median ${at(0.5)}, 95 % ${at(0.95)}, worst ${at(1)} (${sorted.length} measured)`;
}
