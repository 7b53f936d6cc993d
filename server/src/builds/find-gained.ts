import type { BuildView } from '../core/builds/build-summary.ts';
import { normalizeFileName } from '../core/coverage/file-name.ts';
import type { TreeRow } from '../core/coverage/file-tree.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Services } from '../services/services.ts';
import { findKnownDiffs } from './find-changed-lines.ts';

/** Files that the change does not touch, and of which less is missed than in the base. */
export interface GainedFiles {
  /** How many there are. */
  readonly total: number;
  /** The largest gains first; at most MAX_FILES. */
  readonly files: readonly TreeRow[];
}

const MAX_FILES = 20;

/** Only where the close found such lines, which needs a diff: undefined else. */
export async function findGained(
  services: Pick<Services, 'builds' | 'engine' | 'facts' | 'jobs' | 'reader' | 'views'>,
  asked: { readonly build: BuildView; readonly repo: Repo },
): Promise<GainedFiles | undefined> {
  const { builds, reader } = services;
  const { build, repo } = asked;
  const { base: pick, cause } = build.result ?? {};
  const gained = cause !== undefined && 'split' in cause ? cause.split?.untouched.gainedLines : undefined;
  if (pick === undefined || gained === undefined || gained === 0) return undefined;
  const diff = (await findKnownDiffs(services, { build, repo })).base;
  const [report, base] = await Promise.all([builds.report(build.id), builds.report(pick.buildId)]);
  if (diff === undefined || report === undefined || base === undefined) return undefined;
  const except = diff.files.map(({ name }) => normalizeFileName(name));
  const choice = { folder: '', query: '', show: 'gained', sort: 'gain', among: undefined, except } as const;
  const { total, rows } = await reader.browse({ report, base, choice, offset: 0, limit: MAX_FILES });
  return { total, files: rows };
}
