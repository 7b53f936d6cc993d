import { completeRepo, type Repo } from '../../core/repo/repo.ts';
import type { Declaration } from '../table.ts';

/** Its tokens are apart: SQLite has a table of them, MongoDB the list in the repo's document. */
export const REPOS: Declaration<Repo, 'repos'> = {
  name: 'repos',
  key: ['id'],
  complete: completeRepo,
  indexes: [],
};
