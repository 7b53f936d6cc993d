import { join } from 'node:path';
import type { HistorySource } from '@coverage/shared/history';
import { withoutEndSlashes } from '../../api/coverage-client.ts';
import { ActionFailure } from '../../runner/failure.ts';
import type { Shell } from '../shell/command.ts';
import { readCodecov } from './codecov.ts';
import { readCodecovStore } from './codecov-store.ts';
import { readCoveralls } from './coveralls.ts';
import { readGocov } from './gocov.ts';
import { MAX, type Options } from './history-options.ts';
import type { PastSource } from './past.ts';
import type { PastGit } from './past-git.ts';
import { keptInFolder, readKeptCommits } from './report-folder.ts';
import { createRequests, type Requests } from './requests.ts';
import { readSonarqube } from './sonarqube.ts';

/** The other service's token: an argument of a program is read by everybody on its machine. */
export const TOKEN = 'COVERAGE_IMPORT_TOKEN';

/** A source that can be read. */
export interface Opened {
  readonly source: PastSource;
  readonly name: string;
  /** Undefined: nobody is asked. */
  readonly requests: Requests | undefined;
  /** How many commits come with their lines, unless somebody says another number. */
  readonly lines: number;
}

const NAMES: Readonly<Record<HistorySource, string>> = {
  codecov: 'Codecov',
  coveralls: 'Coveralls',
  sonarqube: 'SonarQube',
  gocov: 'gocov',
  folder: 'the folder',
};
const ADDRESSES: Partial<Record<HistorySource, string>> = {
  codecov: 'https://api.codecov.io',
  coveralls: 'https://coveralls.io',
};
const SCHEMES: Partial<Record<HistorySource, string>> = { codecov: 'bearer', coveralls: 'token', sonarqube: 'Bearer' };

/** Opens what `--from` names. Throws `bad-input` if something is missing. */
export function openSource(asked: Options, git: PastGit, shell: Pick<Shell, 'env' | 'runtime' | 'say'>): Opened {
  const { from, repo } = asked;
  const name = NAMES[from];
  const ofFiles = (source: PastSource): Opened => ({ source, name, requests: undefined, lines: MAX.lines });
  if (from === 'folder') return ofFiles(readKeptCommits(keptInFolder(pathOf(asked), asked), git, asked));
  if (from === 'gocov') return ofFiles(readGocov(pathOf(asked), git, asked));
  if (from === 'codecov' && asked.in !== undefined)
    return ofFiles(readCodecovStore(asked.in, git, asked, asked.repoHash));
  const requests = openRequests(asked, shell);
  const ofService = (source: PastSource): Opened => ({ source, name, requests, lines: 1 });
  if (from === 'codecov') return ofService(readCodecov(requests, repo, asked));
  if (from === 'coveralls') return ofService(readCoveralls(requests, repo, asked, (commit) => git.files(commit)));
  if (asked.project === undefined)
    throw new ActionFailure('bad-input', "Give SonarQube's key of the repo: --project=<key>.");
  return ofService(readSonarqube(requests, asked.project, asked));
}

function pathOf({ from, in: path }: Options): string {
  if (path === undefined) throw new ActionFailure('bad-input', `--from=${from} reads files: give them as --in=<path>.`);
  return path;
}

function openRequests({ from, url, to, perMinute }: Options, shell: Pick<Shell, 'env' | 'runtime' | 'say'>): Requests {
  const base = url ?? ADDRESSES[from] ?? '';
  if (!/^https?:\/\//.test(base) || !URL.canParse(base))
    throw new ActionFailure('bad-input', `Give the address of ${NAMES[from]} as --url=https://…, got "${base}".`);
  const token = shell.env[TOKEN] ?? '';
  const headers: Record<string, string> = token === '' ? {} : { authorization: `${SCHEMES[from]} ${token}` };
  const options = {
    name: NAMES[from],
    base: withoutEndSlashes(base),
    headers,
    kept: join(partOf(to), 'answers'),
    perMinute,
    tell: (line: string) => shell.say(line),
  };
  return createRequests(options, shell.runtime);
}

/** Beside the folder until it is whole. */
export function partOf(to: string): string {
  return `${to}.part`;
}
