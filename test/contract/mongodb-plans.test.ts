import { type Document, MongoClient } from 'mongodb';
import { beforeAll, expect, it } from 'vitest';
import { connect } from '../../server/src/storage/mongo/connect.ts';
import { createMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import { INDEXES } from '../../server/src/storage/mongo/schema.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { askEverything } from './every-method.ts';

/** Commands that neither look for documents nor sort them. */
const OTHERS = new RegExp(
  '^(insert|createIndexes|listCollections|dbStats|endSessions|hello|ping|getMore|isMaster|ismaster|saslStart|' +
    'saslContinue)$',
);
/** What the server adds to a command, and what explain does not take. */
const ADDED = [
  'lsid',
  'txnNumber',
  '$db',
  '$clusterTime',
  'writeConcern',
  'readConcern',
  'bypassDocumentValidation',
  'ordered',
];

/** docs/architecture/stores.md "Shard keys". */
const SHARD_KEYS: Readonly<Record<string, '_id' | 'repoId'>> = {
  builds: 'repoId',
  deliveries: 'repoId',
  jobs: '_id',
  report_parts: '_id',
  sources: '_id',
  facts: '_id',
  provider_sources: '_id',
  merged_reports: '_id',
};

/** What asks every shard, by the fields of its filter: none is sent for each job, but `find builds _id`. */
const ASK_ALL_SHARDS = `
aggregate builds claimableAt,$expr
aggregate builds claimableAt,notBefore,$expr
aggregate builds record.attempts.setAside
aggregate deliveries claimableAt
aggregate deliveries parked
aggregate provider_sources repoId
aggregate sources repoId
delete builds _id
delete builds listed,openedAt,$expr
delete deliveries _id
delete merged_reports buildId
delete merged_reports buildId,key
find builds _id
find builds _id,record
find builds claimableAt
find builds claimableAt,$expr
find builds commits,record.trust
find builds jobs.id
find builds owedSince
find builds owedSince,$expr
find builds record.attempts.setAside
find builds record.excludedAsBase.at
find deliveries _id
find deliveries claimableAt
find deliveries claimableAt,$expr
find deliveries parked
find facts repoId
find jobs jobId
find jobs kept,writtenAt,$expr
find jobs repoId
find merged_reports buildId,jobs
find merged_reports buildId,key
find merged_reports repoId
find provider_sources repoId
find report_parts kept,writtenAt,$expr
find report_parts repoId
find sources kept,seenAt,$expr
find sources repoId
findAndModify builds claimableAt,$expr
update builds _id
update builds _id,leaseId
update builds claimableAt,notBefore
update builds leaseUntil
update deliveries _id,version
update deliveries _id,version,claimableAt,$expr
update deliveries leaseUntil
`;

describeWithMongodb('the query plans of MongoDB', (server) => {
  const commands: Document[] = [];
  let called: ReadonlySet<string>;
  let methods: readonly string[];
  let url = '';

  beforeAll(async () => {
    url = server.databaseUrl();
    const connection = await connect({ url, client: { monitorCommands: true } });
    connection.onCommand((command) => commands.push(command));
    const asked = await askEverything(createMongoStore(connection), () => makeOld(url));
    ({ called, methods } = asked);
  }, 60_000);

  it('are asked by every method of the store', () => {
    expect(methods.length).toBeGreaterThan(35);
    expect(methods.filter((method) => !called.has(method))).toEqual([]);
  });

  it('read no collection from end to end, nor need to sort what they find', async () => {
    const client = new MongoClient(url);
    const shapes = new Map(
      commands.flatMap(eachStatement).map((command) => [JSON.stringify(command, hideValues), command]),
    );
    expect(shapes.size).toBeGreaterThan(60);
    const used = new Set<string>();
    const slow: Document[] = [];
    for (const command of shapes.values()) {
      const explained = await client.db().command({ explain: command, verbosity: 'queryPlanner' });
      const plans = plansOf(explained);
      for (const [, index] of JSON.stringify(plans).matchAll(/"indexName":"(\w+)"/g))
        used.add(`${nameOf(command)}.${index}`);
      // For plans that cost the same in a small collection any may win: one that need not sort must be among them.
      if (plans.length === 0 || !plans.some(isOrdered) || JSON.stringify(plans[0]).includes('COLLSCAN'))
        slow.push(command);
    }
    await client.close();
    // Erasing a person has no name to find these by; both collections are small.
    expect(slow.map(nameOf)).toEqual(['members', 'share_links']);
    // An index that no query uses only costs.
    const idle = INDEXES.map(({ collection, name }) => `${collection}.${name}`).filter((name) => !used.has(name));
    expect(idle).toEqual([]);
  });

  it('hold the shard key, but for those that are known to ask every shard', () => {
    const without = commands.flatMap(eachStatement).flatMap((command) => {
      const key = SHARD_KEYS[nameOf(command)];
      const filter = filterOf(command);
      if (key === undefined || holds(filter, key)) return [];
      return [`${Object.keys(command)[0]} ${nameOf(command)} ${Object.keys(filter).join(',')}`];
    });
    expect([...new Set(without)].sort()).toEqual(ASK_ALL_SHARDS.trim().split('\n'));
    const rules = INDEXES.filter(({ unique, collection }) => unique && collection in SHARD_KEYS);
    expect(rules.length).toBeGreaterThan(4);
    for (const { collection, keys, name } of rules)
      expect(Object.keys(keys)[0], `${collection}.${name}`).toBe(SHARD_KEYS[collection]);
  });
});

/** So that the sweep looks at everything; by a client that is not watched. */
async function makeOld(url: string): Promise<void> {
  const client = new MongoClient(url);
  const old = { $set: { writtenAt: new Date(1), seenAt: new Date(1) }, $unset: { kept: '' } } as const;
  for (const name of ['jobs', 'report_parts', 'sources']) await client.db().collection(name).updateMany({}, old);
  await client.close();
}

/** The winning plan first, then those that lost. */
function plansOf(explained: Document): readonly Document[] {
  const planner = (explained.queryPlanner ?? explained.stages?.[0]?.$cursor?.queryPlanner) as Document | undefined;
  return planner === undefined ? [] : [planner.winningPlan as Document, ...(planner.rejectedPlans as Document[])];
}

function isOrdered(plan: Document): boolean {
  return !/"stage":"SORT"/.test(JSON.stringify(plan));
}

/** For the one statement of a command. */
function filterOf({ filter, query, pipeline, updates, deletes }: Document): Document {
  return filter ?? query ?? pipeline?.[0]?.$match ?? updates?.[0]?.q ?? deletes?.[0]?.q ?? {};
}

function holds(filter: Document, key: string): boolean {
  return key in filter || (filter.$or?.every((branch: Document) => holds(branch, key)) ?? false);
}

function nameOf(command: Document): string {
  return String(Object.values(command)[0]);
}

/** Explain takes one statement at a time. */
function eachStatement(command: Document): readonly Document[] {
  const [verb = ''] = Object.keys(command);
  if (OTHERS.test(verb)) return [];
  const plain = Object.fromEntries(Object.entries(command).filter(([name]) => !ADDED.includes(name)));
  const statements = (plain.updates ?? plain.deletes) as readonly Document[] | undefined;
  if (statements === undefined) return [plain];
  const list = plain.updates === undefined ? 'deletes' : 'updates';
  return statements.map((statement) => ({ ...plain, [list]: [statement] }));
}

/** Commands of one shape differ in their values alone. */
function hideValues(this: unknown, _key: string, value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? '?' : value;
}
