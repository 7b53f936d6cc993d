import { job, shaOf, sourceFile } from '../support/coverage-api.ts';
import { type GithubStandIn, startGithubStandIn } from '../support/github-stand-in/github-stand-in.ts';
import { newPerson } from '../support/people.ts';
import { COVERAGE_YML } from '../support/rules-scene.ts';
import { seeded } from '../support/seeded.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** A repo of 1,100 files, 40 checks, 60 builds and 8 pull requests, at GitHub and here. */
export interface MonorepoScene {
  readonly service: Service;
  readonly github: GithubStandIn;
  /** Its name at the host. */
  readonly name: string;
  /** Its page, as a path. */
  readonly repo: string;
  /** What its commit's status says, once it is no longer pending. */
  statusOf(sha: string, context: string): Promise<{ readonly state: string; readonly targetUrl: string }>;
  stop(): Promise<void>;
}

/** What a pull request changes. */
interface Pull {
  readonly number: number;
  readonly title: string;
  readonly login: string;
  /** Files that it changes, and how many of the five lines that it adds to each are missed. */
  readonly changes: ReadonlyMap<string, number>;
  /** For the repo's own file. */
  readonly yml?: string;
}

const NAME = 'acme/platform';
const FILES_PER_PACKAGE = 31;
const NAMES =
  'api auth billing cache cart cli config core crypto db docs editor email events export flags forms graphql i18n ' +
  'import jobs logger mail maps metrics nodes pages payments queue router search session sync ui workflow';
const PACKAGES = NAMES.split(' ');
const FLAGS = ['unit', 'pages', 'end-to-end-in-three-browsers-on-the-slow-runner'] as const;
const BUILDS_OF_MAIN = 44;
const DAY = 86_400_000;

const YML = [
  'version: 1',
  'total: { drop: 0.5 }',
  'changes: { minimum: 60 }',
  'flags:',
  '  pages: { drop: 0 }',
  'groups:',
  "  - { each: 'packages/*', name: 'Package {1}', total: { drop: 0.3 } }",
  'owners: true',
  '',
].join('\n');
const CODEOWNERS = ['* @acme/platform', '/packages/p* @acme/pages', '/packages/a* @acme/backend', ''].join('\n');

const fileOf = (name: string, index: number): string => `packages/${name}/src/${name}-part-${index}.ts`;
const FILES: readonly string[] = [
  ...PACKAGES.flatMap((name) => Array.from({ length: FILES_PER_PACKAGE }, (_, index) => fileOf(name, index))),
  ...Array.from({ length: 15 }, (_, index) => `tools/release-step-${index}.ts`),
];

/** Whose jobs measure a file. */
function flagOf(file: string): (typeof FLAGS)[number] {
  if (file.startsWith('tools/')) return FLAGS[2];
  return file.split('/')[1] === 'pages' || (file.split('/')[1] ?? '') >= 'queue' ? 'pages' : 'unit';
}

const CHANGED_PACKAGES = PACKAGES.slice(0, 25);
const PULLS: readonly Pull[] = [
  {
    ...{ number: 101, title: 'Load the pages of a visitor lazily', login: 'mona' },
    changes: new Map([
      [fileOf('pages', 3), 4],
      [fileOf('api', 1), 0],
    ]),
  },
  {
    ...{
      number: 102,
      title: 'Retry what the queue gave up',
      login: 'rita',
      changes: new Map([[fileOf('queue', 0), 1]]),
    },
  },
  { ...{ number: 103, title: 'Name the parts of a cart', login: 'mona', changes: new Map([[fileOf('cart', 2), 0]]) } },
  {
    ...{ number: 104, title: 'Rename the logger everywhere', login: 'otto' },
    changes: new Map(
      CHANGED_PACKAGES.flatMap((name, at) => [1, 2, 3, 4, 5].map((index) => [fileOf(name, index), (at + index) % 3])),
    ),
  },
  {
    ...{ number: 105, title: 'Ask less of the total', login: 'zoe', changes: new Map([[fileOf('docs', 2), 0]]) },
    yml: YML.replace('total: { drop: 0.5 }', 'total: { minimum: 0 }'),
  },
  {
    ...{ number: 106, title: 'Sync in the background', login: 'otto', changes: new Map([[fileOf('sync', 7), 5]]) },
  },
  {
    ...{ number: 107, title: 'Mind the keys of the rules file', login: 'rita' },
    ...{ changes: new Map([[fileOf('forms', 2), 0]]), yml: YML.replace('changes:', 'chnages:') },
  },
  { ...{ number: 108, title: 'Translate the forms', login: 'mona', changes: new Map([[fileOf('i18n', 9), 2]]) } },
];

/** `root` administers it. */
export async function startMonorepoScene(): Promise<MonorepoScene> {
  const github = await startGithubStandIn({ hourlyLimit: 1_000_000 });
  const service = await startService({ github });
  await newPerson(service, 'root', true);
  github.addRepo(NAME);
  const { token } = await service.newRepo({ service: 'github', name: NAME });
  await makeBuilds({ service, github, token });
  return {
    service,
    github,
    name: NAME,
    repo: `/github/${NAME}`,
    async statusOf(sha, context) {
      const { state, targetUrl } = await waitFor(
        () => {
          const status = github.lastStatuses(NAME, sha).get(context);
          return status?.state !== 'pending' && status;
        },
        { what: `status ${context}`, meanwhile: service.time.skipPause },
      );
      return { state, targetUrl: targetUrl ?? '' };
    },
    async stop() {
      await service.stop();
      await github.close();
    },
  };
}

/** The head of a pull request; it was pushed twice. */
export const headOf = (number: number): string => shaOf(`${NAME} ${number} 2`);
const mainOf = (index: number): string => shaOf(`${NAME} main ${index}`);

type Making = Pick<MonorepoScene, 'service' | 'github'> & { readonly token: string };

async function makeBuilds(making: Making): Promise<void> {
  const { service, github } = making;
  const hits = firstHits();
  const random = seeded(32);
  for (let index = 0; index < BUILDS_OF_MAIN; index += 1) {
    const sha = mainOf(index);
    const parents = index === 0 ? [] : [mainOf(index - 1)];
    github.addCommit(NAME, { sha, parents, message: `Change ${index + 1} of main`, branch: 'main' });
    putTexts(github, sha, YML);
    moveHits(hits, random);
    await upload(making, {
      sha,
      number: `main-${index}`,
      hits,
      changes: new Map(),
      fields: { git: gitOf('main', sha, `Change ${index + 1} of main`, 'rita') },
    });
    await service.time.pass(DAY);
  }
  const base = mainOf(BUILDS_OF_MAIN - 1);
  for (const pull of PULLS) for (const push of [1, 2]) await pushTo(making, { pull, push, base, hits });
}

async function pushTo(
  making: Making,
  of: { readonly pull: Pull; readonly push: number; readonly base: string; readonly hits: Hits },
): Promise<void> {
  const { github } = making;
  const { pull, push, base, hits } = of;
  const { number, title, login, yml = YML, changes } = pull;
  const sha = shaOf(`${NAME} ${number} ${push}`);
  const branch = `${login}/change-${number}`;
  github.addCommit(NAME, { sha, parents: [base], message: title, branch });
  putTexts(github, sha, yml);
  const patch = '@@ -3,0 +4,5 @@\n+if (late) {\n+  retry(5);\n+  warn(late);\n+  count(late);\n+}';
  const files = [...changes.keys(), ...(pull.yml === undefined ? [] : [COVERAGE_YML])].map((filename) => ({
    ...{ filename, status: 'modified' as const, additions: 5, deletions: 0 },
    patch: filename === COVERAGE_YML ? '@@ -2 +2 @@\n-total\n+total' : patch,
  }));
  github.setComparedFiles(NAME, base, sha, files);
  github.addPullRequest(NAME, {
    ...{ number, title, login, headSha: sha, headRef: branch, baseRef: 'main', baseSha: base, files },
    mergeCommitSha: null,
  });
  const fields = { service_pull_request: String(number), git: gitOf(branch, sha, `${title} (push ${push})`, login) };
  await upload(making, { sha, number: `${number}-${push}`, hits, changes, fields });
}

const gitOf = (branch: string, id: string, message: string, author_name: string) => ({
  ...{ branch, head: { id, author_name, message } },
});

function putTexts(github: GithubStandIn, sha: string, yml: string): void {
  github.putFile(NAME, { sha, path: COVERAGE_YML, content: yml });
  github.putFile(NAME, { sha, path: '.github/CODEOWNERS', content: CODEOWNERS });
}

type Hits = Map<string, readonly (number | null)[]>;

/** Between 20 and 40 lines a file, and the last ones missed. */
function firstHits(): Hits {
  return new Map(
    FILES.map((file, at) => {
      const lines = 20 + (at % 21);
      return [file, Array.from({ length: lines }, (_, line) => (line < lines - (at % 7) ? 1 + (line % 9) : 0))];
    }),
  );
}

/** A line of some files is covered or missed from then on. */
function moveHits(hits: Hits, random: () => number): void {
  for (let times = 0; times < 12; times += 1) {
    const file = FILES[Math.floor(random() * FILES.length)] ?? '';
    const lines = [...(hits.get(file) ?? [])];
    const line = Math.floor(random() * lines.length);
    lines[line] = random() < 0.6 ? 3 : 0;
    hits.set(file, lines);
  }
}

/** A build by one job for each flag. */
async function upload(
  { service, token }: Making,
  of: {
    readonly sha: string;
    readonly number: string;
    readonly hits: Hits;
    readonly changes: Pull['changes'];
    readonly fields: object;
  },
): Promise<void> {
  const { sha, number, hits, changes, fields } = of;
  for (const flag of FLAGS) {
    const files = FILES.filter((file) => flagOf(file) === flag);
    await service.upload({
      ...job({ repo_token: token, commit_sha: sha, service_number: number, flag_name: flag }),
      ...{ service_job_id: `${number} ${flag}`, parallel: true, ...fields },
      source_files: files.map((file) => changedFile(file, hits.get(file) ?? [], changes.get(file))),
    });
  }
  const { id } = await service.close(token, number);
  await service.closed(id);
}

/** `missed`: of five lines that were added behind the third; undefined: none was. */
function changedFile(file: string, hits: readonly (number | null)[], missed: number | undefined) {
  if (missed === undefined) return sourceFile(file, [...hits]);
  const added = Array.from({ length: 5 }, (_, line) => (line < 5 - missed ? 2 : 0));
  const texts = [
    ...['const part = 1;', 'const late = part > 0;', 'start(part);'],
    ...['if (late) {', '  retry(5);', '  warn(late);', '  count(late);', '}'],
  ];
  const source = [...texts, ...hits.slice(3).map((_, line) => `step(${line});`), ''].join('\n');
  return sourceFile(file, [...hits.slice(0, 3), ...added, ...hits.slice(3)], { source });
}
