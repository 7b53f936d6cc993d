import { createHash } from 'node:crypto';
import { MongoClient } from 'mongodb';
import type { Build } from '../server/src/core/builds/build.ts';
import { keysOf } from '../server/src/storage/mongo/build-rows.ts';
import type { BuildDocument, RepoDocument } from '../server/src/storage/mongo/documents.ts';
import { createBuildRows } from '../server/src/storage/sqlite/build-rows.ts';
import { connect } from '../server/src/storage/sqlite/connection.ts';

/** So many builds a repo gets that has one. */
export const BUILDS = 100_000;

const DAY = 86_400_000;
/** How many there are, spread over so many days up to now. */
interface History {
  readonly builds: number;
  readonly days: number;
}

const MANY: History = { builds: BUILDS, days: 730 };
/** Written at a time. */
const PORTION = 5_000;
/** No server has the file open, and what a power cut takes is filled again. */
const QUICK = ['PRAGMA synchronous = OFF', 'PRAGMA cache_size = -500000'];

/** Adds copies of a build to the SQLite file of a stopped server. */
export function fillSqlite(path: string, templateId: number, history = MANY): void {
  const connection = connect({ path, busyTimeout: 10_000 });
  try {
    for (const pragma of QUICK) connection.prepare(pragma).run();
    const rows = createBuildRows(connection);
    const template = connection.read(() => rows.find(templateId));
    if (template === undefined) throw new Error('the build to copy is gone');
    for (const copies of copiesOf(template, history))
      connection.write(() => {
        for (const build of copies) rows.insert(build);
      });
    connection.write(() => {
      connection.prepare(`UPDATE counters SET value = ? WHERE name = 'build'`).run(templateId + history.builds);
      connection.prepare('UPDATE repos SET last_sequence = ? WHERE id = ?').run(history.builds, template.repoId);
    });
  } finally {
    void connection.close();
  }
}

/** The same in a database that no server works on. */
export async function fillMongodb(url: string, templateId: number): Promise<void> {
  const client = new MongoClient(url, { ignoreUndefined: true });
  try {
    const db = client.db();
    const builds = db.collection<BuildDocument>('builds');
    const template = (await builds.findOne({ _id: templateId }))?.record;
    if (template === undefined) throw new Error('the build to copy is gone');
    for (const copies of copiesOf(template, MANY))
      await builds.insertMany(copies.map(documentOf), { ordered: false, writeConcern: { w: 1, journal: false } });
    await db.collection<{ _id: string }>('counters').updateOne({ _id: 'build' }, { $inc: { value: BUILDS } });
    const ofRepo = { _id: template.repoId };
    await db.collection<RepoDocument>('repos').updateOne(ofRepo, { $set: { lastSequence: BUILDS } });
  } finally {
    await client.close();
  }
}

function documentOf(build: Build): BuildDocument {
  const { id, repoId, sequence, createdAt } = build;
  const document = { ...keysOf(build), _id: id, repoId, sequence, openedAt: new Date(createdAt), record: build };
  // The driver leaves out what is undefined.
  return document as BuildDocument;
}

/** The template itself is one of them. */
function* copiesOf(template: Build, { builds, days }: History): Generator<readonly Build[]> {
  const start = Date.now() - days * DAY;
  for (let first = template.sequence + 1; first <= builds; first += PORTION) {
    const length = Math.min(PORTION, builds - first + 1);
    yield Array.from({ length }, (_, index) => {
      const n = first + index;
      return copyOf(template, n, start + (n / builds) * days * DAY);
    });
  }
}

/** Under another number, commit and time: of main, of another branch or of a pull request. */
function copyOf(template: Build, n: number, at: number): Build {
  const createdAt = Math.round(at);
  const ofPull = n % 3 === 0;
  const branch = ofPull ? `feature-${Math.ceil(n / 12)}` : n % 10 === 1 ? `release-${n % 60}` : 'main';
  return {
    ...template,
    id: template.id + n - template.sequence,
    sequence: n,
    number: String(n),
    serviceNumber: String(n),
    commit: commitOf(n),
    target: undefined,
    branch,
    pullRequest: ofPull ? Math.ceil(n / 12) : undefined,
    message: `Speed the thing up, for the time number ${n}`,
    createdAt,
    lastJobAt: createdAt,
    result: template.result && { ...template.result, closedAt: createdAt },
  };
}

/** Another for each number. */
export function commitOf(number: number): string {
  return createHash('sha1').update(`bench ${number}`).digest('hex');
}
