import { type Document, MongoClient } from 'mongodb';
import { beforeAll, expect, it } from 'vitest';
import { connect } from '../../server/src/storage/mongo/connect.ts';
import { createMongoStore } from '../../server/src/storage/mongo/open-mongo.ts';
import { INDEXES } from '../../server/src/storage/mongo/schema.ts';
import { describeWithMongodb } from '../support/mongod/mongodb-server.ts';
import { askEverything } from './every-method.ts';
import { asksAllShards, eachStatement, KNOWN_TO_ASK, nameOf, SHARD_KEYS } from './shard-keys.ts';

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
    expect([...new Set(commands.flatMap(asksAllShards))].sort()).toEqual(KNOWN_TO_ASK);
    // What a sharded cluster refuses: a write of one document without its key or `_id` (before 8.0), or an upsert.
    const writesOne = KNOWN_TO_ASK.filter((asked) => asked.includes(' one ') && !/ _id\b/.test(asked));
    expect(new Set(writesOne.map((asked) => asked.split(' ', 3).join(' ')))).toEqual(
      new Set(['findAndModify one builds']),
    );
    expect(KNOWN_TO_ASK.join('\n')).not.toContain('or insert');
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

/** Commands of one shape differ in their values alone. */
function hideValues(this: unknown, _key: string, value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? '?' : value;
}
