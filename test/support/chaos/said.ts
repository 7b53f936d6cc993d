import { BASE_URL } from './deployment.ts';
import type { SeenBuild } from './outcome.ts';

/** The id of the build whose page an announcement links to. */
export function buildOfUrl(url: string | null | undefined): string | undefined {
  const prefix = `${BASE_URL}/builds/`;
  return url?.startsWith(prefix) ? url.slice(prefix.length).split('?')[0] : undefined;
}

/** The percentage with which a text begins, or that it names as the total, as it stands there. */
export function percentIn(text: string): string | undefined {
  return /(?:^|\btotal )(\d+\.\d\d)%/i.exec(text)?.[1];
}

/** A percentage as announcements show it: two decimals, rounded down (rule 5). */
export function percentOf(percent: number): string {
  return (Math.floor(percent * 100 + 1e-9) / 100).toFixed(2);
}

/** Rule 24: a pull request's build before a push's, then the newer one. */
export function hasPrecedence(one: SeenBuild, other: SeenBuild): boolean {
  const [ours, theirs] = [one.json.pull_request !== null, other.json.pull_request !== null];
  return ours === theirs ? one.age > other.age : ours;
}
