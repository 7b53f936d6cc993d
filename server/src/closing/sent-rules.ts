import { zstdDecompressSync } from 'node:zlib';
import { MAX_FILE_BYTES } from '@coverage/shared/coverage-file/declared';
import { rulesPlace } from '../core/builds/base-branches.ts';
import type { Build } from '../core/builds/build.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import { keptText, type StoredText, sentFileKey } from './kept-rules.ts';

/** A repo's own file if no git host can be asked for it: as the pushes to its default branch brought it. */

type Keeping = Pick<Services, 'facts' | 'jobs' | 'clock'>;

interface Asked {
  readonly build: Build;
  readonly repo: Repo;
  /** Trusted builds whose branch says by which file this one is judged, the newest first. */
  readonly recent: () => Promise<readonly Build[]>;
}

/** A repo has this fact once a push brought its file: until then it is looked for no further. */
const ANY = 'sent-rules';

/**
 * The commit whose file judges a build: the pushed one, else that of the newest push to the default branch that brought
 * one. What an upload says of its base does not count: it could name one that asks for less.
 */
export async function findSentPlace(services: Keeping, { build, repo, recent }: Asked): Promise<string | undefined> {
  const own = await keepPushed(services, build, repo);
  if (own !== undefined || (await services.facts.find(repo.id, ANY)) === undefined) return own;
  const isPush = pushedCommit(build, repo) !== undefined;
  for (const one of await recent()) {
    if (isPush && one.sequence >= build.sequence) continue;
    const { broken, file } = one.result?.rules ?? {};
    const commit = (await keepPushed(services, one, repo)) ?? broken?.commit ?? file?.commit;
    if (commit !== undefined) return commit;
  }
  return undefined;
}

/** The file as a build's own upload has it; undefined: it does not say. */
export async function readSentRules(
  { jobs }: Pick<Keeping, 'jobs'>,
  { repoId, rulesFile }: Pick<Build, 'repoId' | 'rulesFile'>,
): Promise<StoredText | undefined> {
  if (rulesFile === undefined) return undefined;
  if (rulesFile === null) return keptText(null);
  const stored = await jobs.source(repoId, rulesFile.digest);
  const text = stored && unpack(stored.bytes);
  return text && keptText({ path: rulesFile.path, text });
}

/** Undefined for damaged bytes: a build has an answer without them. */
function unpack(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: MAX_FILE_BYTES });
  } catch {
    return undefined;
  }
}

/** The commit of a trusted push to the default branch. */
function pushedCommit(build: Build, repo: Repo): string | undefined {
  const place = rulesPlace(build, repo);
  const isPush = build.pullRequest === undefined && !build.mergeQueue;
  return isPush && 'commit' in place ? place.commit : undefined;
}

/** Keeps what such a push brought, under its commit and forever: what was kept there first stays. */
async function keepPushed({ facts, jobs, clock }: Keeping, build: Build, repo: Repo): Promise<string | undefined> {
  const commit = build.rulesFile === undefined ? undefined : pushedCommit(build, repo);
  if (commit === undefined) return undefined;
  const key = sentFileKey(commit);
  if ((await facts.find(repo.id, key)) !== undefined) return commit;
  const value = await readSentRules({ jobs }, build);
  if (value === undefined) return undefined;
  const at = clock.now();
  await facts.put({ repoId: repo.id, key: ANY, value: true, at });
  // Another server may close another build of the commit meanwhile.
  await facts.add({ repoId: repo.id, key, value, at });
  return commit;
}
