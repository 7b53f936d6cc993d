import type { Document } from 'mongodb';

/** docs/architecture/stores.md "Shard keys". */
export const SHARD_KEYS: Readonly<Record<string, '_id' | 'repoId'>> = {
  builds: 'repoId',
  deliveries: 'repoId',
  jobs: '_id',
  report_parts: '_id',
  sources: '_id',
  facts: '_id',
  provider_sources: '_id',
  merged_reports: '_id',
};

/** What asks every shard, and why: its verb, its collection and the fields of its filter. */
const ASK_ALL_SHARDS: Readonly<Record<string, string>> = {
  'workers take what is due in any repo': `
aggregate builds claimableAt,$expr
aggregate builds claimableAt,notBefore,$expr
aggregate deliveries claimableAt
find builds claimableAt
find builds claimableAt,$expr
find builds owedSince
find builds owedSince,$expr
find deliveries claimableAt
find deliveries claimableAt,$expr
findAndModify one builds claimableAt,$expr
findAndModify one builds repoId,claimableAt,$expr
update builds claimableAt,notBefore
update builds leaseUntil
update deliveries leaseUntil
update one builds _id,leaseId
update one builds _id,notBefore
update one deliveries _id,version
update one deliveries _id,version,claimableAt,$expr`,
  'pages, jobs and workers name a build or a delivery by its id alone': `
delete builds _id
delete deliveries _id
delete deliveries _id,version
find builds _id
find builds _id,record
find builds jobs.id
find deliveries _id
find jobs jobId
update one builds _id`,
  'reports that are merged ahead are found by their build, not by their name': `
delete merged_reports buildId
delete merged_reports buildId,key
find merged_reports buildId,jobs
find merged_reports buildId,key`,
  'an address names a commit without its repo': `
find builds commits,record.trust`,
  'administrators list what was set aside, given up or excluded in any repo': `
aggregate builds record.attempts.setAside
aggregate deliveries parked
find builds record.attempts.setAside
find builds record.excludedAsBase.at
find deliveries parked`,
  'the sweep looks for what nothing refers to': `
delete builds listed,openedAt,$expr
find jobs kept,writtenAt,$expr
find report_parts kept,writtenAt,$expr
find sources kept,seenAt,$expr`,
  'a repo is removed, exported or measured, and the shard key does not begin with it': `
aggregate provider_sources repoId
aggregate sources repoId
find facts repoId
find jobs repoId
find merged_reports repoId
find provider_sources repoId
find report_parts repoId
find sources repoId`,
};

export const KNOWN_TO_ASK: readonly string[] = Object.values(ASK_ALL_SHARDS)
  .flatMap((lines) => lines.trim().split('\n'))
  .sort();

/** Commands that look for no documents. */
const OTHERS = new RegExp(
  '^(insert|createIndexes|listCollections|dbStats|endSessions|hello|ping|getMore|isMaster|ismaster|saslStart|' +
    'saslContinue|killCursors)$',
);
const KNOWN = /^(find|aggregate|distinct|count|findAndModify|update|delete)$/;
/** What the driver adds to a command, and what explain does not take. */
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

/** Answers later what was asked besides what is known to ask every shard. */
export function watchShards(onCommand: (listen: (command: Document) => void) => unknown): () => readonly string[] {
  const asked = new Set<string>();
  onCommand((command) => {
    for (const one of asksAllShards(command)) asked.add(one);
  });
  return () => [...asked].filter((one) => !KNOWN_TO_ASK.includes(one));
}

/** Explain takes one statement at a time. Throws on a command that is not known here. */
export function eachStatement(command: Document): readonly Document[] {
  const [verb = ''] = Object.keys(command);
  if (OTHERS.test(verb)) return [];
  if (verb === 'bulkWrite') return statementsOfBulk(command);
  if (!KNOWN.test(verb)) throw new RangeError(`${verb}: say in shard-keys.ts what it looks for`);
  const plain = Object.fromEntries(Object.entries(command).filter(([name]) => !ADDED.includes(name)));
  const statements = (plain.updates ?? plain.deletes) as readonly Document[] | undefined;
  if (statements === undefined) return [plain];
  const list = plain.updates === undefined ? 'deletes' : 'updates';
  return statements.map((statement) => ({ ...plain, [list]: [statement] }));
}

function statementsOfBulk({ ops, nsInfo }: Document): readonly Document[] {
  const collectionOf = (at: number): string => nsInfo[at].ns.slice(nsInfo[at].ns.indexOf('.') + 1);
  return (ops as readonly Document[]).flatMap(({ insert, update, filter: q, multi, upsert, ...other }) => {
    if (update === undefined && insert === undefined)
      throw new RangeError(`${Object.keys(other)}: say what it looks for`);
    return update === undefined ? [] : [{ update: collectionOf(update), updates: [{ q, multi, upsert }] }];
  });
}

export function nameOf(statement: Document): string {
  return String(Object.values(statement)[0]);
}

/** What a command asks every shard for: its verb, its collection and the fields of its filter. */
export function asksAllShards(command: Document): readonly string[] {
  return eachStatement(command).flatMap((statement) => {
    const [verb = ''] = Object.keys(statement);
    const { update, findAndModify } = statement;
    const [{ multi = false, limit = 0, upsert = statement.upsert } = {}] = statement.updates ?? statement.deletes ?? [];
    const isOne = findAndModify !== undefined || limit === 1 || (update !== undefined && !multi);
    const how = `${verb}${isOne ? ' one' : ''}${upsert ? ' or insert' : ''}`;
    return filtersOf(statement).flatMap(({ collection, filter }) => {
      const key = SHARD_KEYS[collection];
      if (key === undefined || (isOne ? isEqual(filter[key]) : holds(filter, key))) return [];
      return [`${how} ${collection} ${Object.keys(filter).join(',')}`];
    });
  });
}

/** A statement's own, and those of the collections that its pipeline looks into besides. */
function filtersOf(statement: Document): readonly { readonly collection: string; readonly filter: Document }[] {
  const { filter, query, pipeline = [], updates, deletes } = statement;
  const own: Document = filter ?? query ?? updates?.[0]?.q ?? deletes?.[0]?.q ?? pipeline[0]?.$match ?? {};
  const united = (pipeline as readonly Document[]).flatMap(({ $unionWith: other, $lookup, $graphLookup }) => {
    if ($lookup !== undefined || $graphLookup !== undefined) throw new RangeError('a join has no filter to check');
    return other === undefined ? [] : filtersOf({ aggregate: other.coll, pipeline: other.pipeline });
  });
  return [{ collection: nameOf(statement), filter: own }, ...united];
}

/** One document is written on the shard of its key alone. */
function isEqual(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string';
}

function holds(filter: Document, key: string): boolean {
  const { $and = [], $or = [] } = filter;
  const each = (branch: Document): boolean => holds(branch, key);
  return key in filter || $and.some(each) || ($or.length > 0 && $or.every(each));
}
