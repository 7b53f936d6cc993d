import { afterAll, beforeAll, expect, test } from 'vitest';
import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { type Service, startService } from '../support/service.ts';

let github: GithubStandIn;
let service: Service;
beforeAll(async () => {
  github = await startGithubStandIn();
  service = await startService({ github });
});
afterAll(async () => {
  await service.stop();
  expect(github.violations()).toEqual([]);
  await github.close();
});

const MERGES = 5;
/** Each merge's, and the root's, which tells that nothing is before it. */
const PAGES = MERGES + 1;

/**
 * A main of merges, each of which brings in more commits than a page of GitHub's holds: a page names one first parent.
 * Answers main, oldest first.
 */
function addMerges(repo: string): readonly string[] {
  const main = [shaOf(`${repo} root`)];
  let minutes = 0;
  const add = (sha: string, parents: readonly string[], branch?: string): string => {
    minutes += 1;
    const date = new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
    return github.addCommit(repo, { sha, parents, date, ...(branch === undefined ? {} : { branch }) }).sha;
  };
  add(main[0] as string, [], 'main');
  for (let merge = 0; merge < MERGES; merge += 1) {
    const last = main.at(-1) as string;
    let side = last;
    for (let one = 0; one < 110; one += 1) side = add(shaOf(`${repo} ${merge} ${one}`), [side]);
    main.push(add(shaOf(`${repo} merge ${merge}`), [last, side], 'main'));
  }
  return main;
}

test(
  'a base is found along the first parents of long merged branches, however many calls that takes, and each is ' +
    'made once',
  async () => {
    const name = 'octo/long';
    github.addRepo(name);
    const main = addMerges(name);
    const { token } = await service.newRepo({ service: 'github', name });
    const built = (number: string, commit: string | undefined) =>
      service.uploadAlone({
        ...job({ repo_token: token, service_number: number, source_files: [sourceFile('src/a.ts', [1, 0])] }),
        commit_sha: commit,
        git: { branch: 'main' },
      });
    const first = await built('1', main[0]);
    const since = github.requests().length;
    const last = await built('2', main.at(-1));
    expect(last.base).toMatchObject({ build: first.id, rule: 'ancestor', commits_away: MERGES });
    expect(last.verdict?.provisional).toBe(false);
    const pages = github
      .requests()
      .slice(since)
      .filter(({ path }) => path.includes('/commits?'));
    expect(pages).toHaveLength(PAGES);
    expect(new Set(pages.map(({ path }) => path)).size).toBe(PAGES);
  },
);
