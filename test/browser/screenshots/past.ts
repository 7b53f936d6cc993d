import type { Scene } from '../../demo/scene.ts';
import { coverageApi, job, shaOf, sourceFile } from '../../support/coverage-api.ts';
import { waitFor } from '../../support/wait-for.ts';

interface Repo {
  readonly name: string;
  readonly service: string;
  readonly title: string;
  /** Covered lines of 1,000 on main, build by build; the last one is of the last day. */
  readonly covered: readonly number[];
}

const SHOP = { name: 'acme/shop', service: 'github', title: 'Sell more tea' } as const;
const OTHERS: readonly Repo[] = [
  { ...{ name: 'acme/gateway', service: 'manual', title: 'Answer with retries' }, covered: [689, 691, 699, 698, 704] },
  { ...{ name: 'acme/ledger', service: 'manual', title: 'Round by currency' }, covered: [936, 931, 929, 929, 912] },
  { ...{ name: 'acme/site', service: 'manual', title: 'Update the imprint' }, covered: [981, 981, 990, 1000, 1000] },
];
/** For the shop: one of them failed. */
const COVERED = [841, 844, 843, 849, 842, 848, 850, 850, 851, 850, 852, 855];

/** What main had in the month before the demo begins. `at`: sets the server's clock to a day of it. */
export async function makePast(scene: Scene, at: (day: number) => Promise<void>): Promise<void> {
  const { instances, repoToken, host, repo } = scene;
  const api = coverageApi(instances.first.url, instances.first.adminToken);
  const tokens = new Map([[SHOP.name as string, repoToken]]);
  for (const { name, service } of OTHERS) tokens.set(name, (await api.createRepo({ name, service })).token);
  const upload = async ({ name, title }: Omit<Repo, 'covered'>, covered: number, day: number): Promise<void> => {
    const sha = shaOf(`${name} ${day}`);
    if (name === repo) host.addCommit(repo, { sha, message: title, parents: [shaOf(`${name} ${day - 1}`)] });
    const made = job({ repo_token: tokens.get(name) ?? '', commit_sha: sha, service_number: `${name} ${day}` });
    const hits = Array.from({ length: 1_000 }, (_, line) => (line < covered ? 1 : 0));
    const git = { ...made.git, head: { ...made.git?.head, id: sha, message: title } };
    const flag = { flag_name: 'web', git, source_files: [sourceFile('web/src/all.js', hits)] };
    const reply = await api.uploadJob({ ...made, ...flag });
    if (reply.status !== 200) throw new Error(`A job of ${name} was refused: ${reply.text}`);
    // The day ends with a stop of the server.
    await waitFor(async () => (await api.buildJson(sha)).json.state === 'closed', { what: sha });
  };
  for (const [day, covered] of COVERED.entries()) {
    await at(day);
    await upload({ ...SHOP }, covered, day);
    for (const other of OTHERS) {
      const theirs = other.covered[day - (COVERED.length - other.covered.length)];
      if (theirs !== undefined) await upload(other, theirs, day);
    }
  }
}
