// The databases, their copies, backups and keys.
import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

export const CHANGED_DURING_BACKUP =
  'The database was changed while it was read, and a lone server of MongoDB has no snapshots. Stop every server ' +
  'that uses it, or run this again when nothing is uploaded.';

export function backupWrong(path: string): string {
  return `${path} does not hold what was read: the disk is at fault, or something else wrote to the file.`;
}

export function sameStore(store: string): string {
  return `--from and --to are the same store, ${store}; let --to name a new one.`;
}

export function noFileToRestore(path: string): string {
  return `There is no file ${path} to be restored: check the path behind --from.`;
}

export function restoreWrong(store: string): string {
  return `${store} does not hold what was restored: something else wrote to it. Restore into a new database.`;
}

export const RUN_AGAIN = ' Run the same again: it goes on where it was.';

export const EXAMPLE_URLS =
  'sqlite:./data/coverage.db, sqlite:/var/lib/coverage/coverage.db or mongodb://host/coverage';

export const WITHOUT_SCHEME = 'no scheme';

export function theScheme(scheme: string): string {
  return `the scheme ${scheme}`;
}

export function noSuchStore(setting: string, found: string): string {
  return `${setting} has ${found}, which names no store of this program`;
}

export function noFileNamed(setting: string): string {
  return `${setting} names no file after "sqlite:"`;
}

export function noBackup(path: string): string {
  return `${path} is no backup, or one that was cut off: it holds no digests.`;
}

export const FILE_EXISTS = 'it is there already; name a new file';

export function cannotMakeFile(path: string, why: string): string {
  return `Cannot make the file ${path}: ${why}.`;
}

export function backupDamaged(path: string): string {
  return `${path} is damaged: it does not hold what was backed up. Use another backup.`;
}

export function cannotOpen(path: string, why: string): string {
  return `Cannot open ${path}: ${why}`;
}

export function cannotOpenOrMake(path: string, why: string): string {
  return `Cannot open or make the database file ${path}: ${why}.`;
}

export function noWriteAheadLog(path: string, mode: string): string {
  return `${path} cannot use a write-ahead log (${mode}); put it on a local disk.`;
}

export function diskTooFull(free: number, least: number): string {
  return (
    `The disk that holds the database is too full to take uploads: ${free} MiB are free, less than MIN_FREE_DISK ` +
    `(${least} MiB). Make room.`
  );
}

export function networkFileSystem(path: string, kind: string): string {
  return (
    `${path} is on a network file system (${kind}): its locks may not keep a second server away, and a write-ahead ` +
    'log is not safe there. Put the database on a local disk, or use MongoDB.'
  );
}

export const MAY_NOT_OPEN = 'The database may not be opened: check the permissions of its file and directory.';

export const LOCKED = 'The database is locked by another program. Nothing was stored; try again in a moment.';

export const NO_MEMORY = 'There is no memory left for the database. Nothing was stored; try again in a moment.';

export const READ_ONLY =
  'The database cannot be written: check the permissions of its file and directory. Nothing was stored.';

export const DISK_FAILED =
  'The disk that holds the database failed. Nothing was stored; check the disk and its free space, then try again.';

export const FILE_DAMAGED = 'The database file is damaged. Nothing was stored; restore a backup.';

export const DISK_FULL = 'The disk that holds the database is full. Nothing was stored; make room, then try again.';

export const CANNOT_BE_OPENED = 'The database file cannot be opened: check that it exists, and its permissions.';

export const NOT_SQLITE = 'The database file is not an SQLite database: let DATABASE_URL name another file.';

export const STORE_CLOSED = 'The store is closed: the server is stopping.';

export function logOfOther(path: string): string {
  return (
    `${path} and ${path}-wal do not belong together: the log continues another database, or another state of this ` +
    'one, as when a copy took the place of the file. Nothing was changed. Run npm run restore -- --from <backup>, ' +
    `which moves both aside. If ${path} is whole by itself, move ${path}-wal away instead.`
  );
}

export function otherProgram(path: string): string {
  return (
    `${path} is an SQLite database of another program; let DATABASE_URL name a file of its own, which is made when ` +
    'it is missing.'
  );
}

export function newerVersion({ path, found, known }: Texts<'path'> & Counts<'found' | 'known'>): string {
  return (
    `${path} was written by a newer version of this program (schema ${found}; this one knows up to ${known}); start ` +
    'that version, or restore a backup made before the upgrade.'
  );
}

export function noRoomForUpgrade({ path, needed, free }: Texts<'path'> & Counts<'needed' | 'free'>): string {
  const mib = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  return (
    `${path} is of an older version, and a backup is made beside it before it is brought up to date. That takes ` +
    `${mib(needed)}, and ${mib(free)} are free: make room, or make a backup elsewhere and set UPGRADE_BACKUPS=0.`
  );
}

export function copyUnfinished(path: string): string {
  return `a copy into ${path} is not finished; run npm run copy-store again with the same --from and --to.`;
}

export function restoreUnfinished(path: string): string {
  return `a restore into ${path} is not finished; run npm run restore again.`;
}

export function inUse(path: string): string {
  return `${path} is in use by another server: stop that one first. A file takes one server; several need MongoDB.`;
}

export function noDatabaseThere(path: string): string {
  return `There is no database ${path}. Set DATABASE_URL to the one that the server uses.`;
}

export function noFileToCopy(path: string): string {
  return `There is no file ${path} to be copied: check the URL behind --from.`;
}

export function openElsewhere(path: string): string {
  return `${path} is open in another process: stop the server, then run this again.`;
}

export const PERSONAL_TOKENS = 'personal tokens';

export const AUDIT_ENTRIES = 'audit entries';

export function serverAtWork(until: string): string {
  return (
    `A server is at work on the database to be copied (until ${until}, unless it goes on). Stop every server that ` +
    'uses it, wait until then, and run this again.'
  );
}

export function reportOfBuild(build: number): string {
  return `The report of build ${build}`;
}

export function reportOfJob(job: number): string {
  return `The report of job ${job}`;
}

export function notStored(what: string): string {
  return `${what} is not stored (any more).`;
}

export function cannotUse(database: string, why: string): string {
  return `Cannot use the database ${database} of DATABASE_URL: ${why}`;
}

export const MONGO_FORBIDS =
  'MongoDB does not allow this: the user of DATABASE_URL needs the role readWrite on its database.';

export const MONGO_REFUSES_USER = 'MongoDB refuses the user or password of DATABASE_URL: check both.';

export const MONGO_NAME = 'MongoDB does not take the name of the database: letters, digits, - and _ are safe.';

export const MONGO_SNAPSHOT_GONE =
  'MongoDB did not keep the moment that was being read for long enough: raise minSnapshotHistoryWindowInSeconds ' +
  '(docs/mongodb.md), then run this again.';

export const MONGO_TOO_LARGE =
  'What was to be stored is larger than 16 MB, the limit of one document of MongoDB. Nothing was stored.';

export const MONGO_DISK_FULL = 'The disk of MongoDB is full. Make room, then try again.';

export const MONGO_AWAY =
  'MongoDB does not answer in time: it is down, unreachable, or electing a new primary. Try again in a moment.';

export function mongoTooSlow(limit: number): string {
  return `MongoDB gave no answer within ${limit} ms.`;
}

export function checkHosts(why: string): string {
  return `${why}: check the hosts and files that the URL names.`;
}

export function jobOfBuild(job: number, build: number): string {
  return `Job ${job} of build ${build}`;
}

export const OTHER_COLLECTIONS =
  'it holds collections of another program; let DATABASE_URL name a database of its own, which is made when it is ' +
  'missing.';

export const NOTHING_STORED = 'no server has ever stored anything in it.';

export const RESTORE_INTO_IT_UNFINISHED =
  'a restore into it is not finished; run npm run restore again with the same --from.';

export const COPY_INTO_IT_UNFINISHED =
  'a copy into it is not finished; run npm run copy-store again with the same --from and --to.';

export function writtenByNewer(found: number, known: number): string {
  return (
    `it was written by a newer version of this program (schema ${found}; this one knows up to ${known}); start that ` +
    'version, or restore a backup made before the upgrade.'
  );
}

export const TOO_BUSY_FOR_BACKUP = 'The servers are too busy for a backup of one moment: try again later.';

export const PARTS_OF_REPORTS = 'parts of reports';

export const CANNOT_BE_READ = 'it cannot be read';

export function notAMongoUrl(why: string | undefined, example: string): string {
  return `DATABASE_URL is no MongoDB URL that the driver understands (${why}); give one such as ${example}.`;
}

export function noDatabaseNamed(example: string): string {
  return `names no database; put one after the hosts, such as ${example}`;
}

export function writeConcern(found: string): string {
  return (
    `asks for the write concern w=${found}; a job that is answered 200 must survive the loss of a server, which ` +
    'only w=majority promises: leave w out'
  );
}

export const JOURNAL_OFF = 'asks for journal=false; a job that is answered 200 must survive a crash: leave journal out';

export const TLS_UNCHECKED =
  'asks for certificates not to be checked (tlsInsecure, tlsAllowInvalidCertificates or tlsAllowInvalidHostnames); ' +
  'leave that out, and let tlsCAFile name the authority that issued them';

export function readConcern(found: string): string {
  return `asks for the read concern ${found}; what is read must not be rolled back: leave readConcernLevel out`;
}

export function readPreference(found: string): string {
  return `asks for readPreference=${found}; a secondary lags behind, and a job would not find its build: leave it out`;
}

export function otherCopyUnfinished({ target, noted, from }: Texts<'target' | 'noted' | 'from'>): string {
  return (
    `${target} holds an unfinished copy of ${noted}, not of ${from}; finish that one, or let --to name a new ` +
    'database.'
  );
}

export function targetNotEmpty(target: string, found: string): string {
  return `${target} is not empty: it holds ${found}. Nothing was written; let --to name a new database.`;
}

export function inMemory(option: string, examples: string): string {
  return `${option} is sqlite::memory:, which no other process can read or write; use ${examples}.`;
}

export function optionWithoutDatabase(option: string): string {
  return (
    `${option} names no database of MongoDB; use mongodb://user:password@host/coverage, with %40 for @, %2F for / ` +
    'and %3F for ? in user, password and options.'
  );
}

export function keyReadable(path: string, mode: string): string {
  return `The key file ${path} may be read by others (mode ${mode}); run: chmod 600 ${path}`;
}

export const KEY_FORM = '64 hexadecimal or 44 base64 characters (32 bytes), as `openssl rand -hex 32` prints them';

export function keyMade(path: string): string {
  return `Made ${path}.key, the key of the stored repo tokens: back it up, but apart from the database.`;
}

/** A sentence of copy-store for who has no `--to`. */
export function withoutOption(sentence: string): string {
  return sentence.replaceAll('let --to name', 'let DATABASE_URL name');
}

export const UNKNOWN_FILE_SYSTEM = 'FUSE, such as sshfs';

export function reportDamaged(what: string): string {
  return `A stored report is damaged: ${what}. Upload the job again, or restore the store from a backup.`;
}

export const SOURCE_DAMAGED = 'A stored source text cannot be read: its bytes are damaged. Upload the job again.';

export const KEY_FILE_LOST =
  'The key file of this server is missing, so it cannot check repo tokens. Its operator has to bring the file back, ' +
  'or make new tokens for all repos (docs/backup.md, "A lost key"). Nothing was stored; try again then.';

export function keyFileLost(file: string, tokens: number): string {
  return (
    `The key file ${file} is missing, and ${counted(tokens, 'stored repo token')} need it. No new one was made: ` +
    'bring it back and start again, or make new tokens by npm run rotate -- --lost. Uploads get 503 until then.'
  );
}

export function keyOpensNothing(key: string, tokens: number): string {
  return (
    `${key} opens none of the ${counted(tokens, 'repo token')} that are stored: another key sealed them. Start with ` +
    'that one (in a cluster all servers have the same SECRET_KEY). If it is lost, make new tokens with this one by ' +
    'npm run rotate -- --lost.'
  );
}

export function keyFileGone(path: string): string {
  return `The key file ${path} vanished while it was made; start again.`;
}

export function keyFileUnreadable(path: string, why: string): string {
  return `The key file ${path} cannot be read (${why}); give it back to the user that runs the server.`;
}

export function keyFileWrong(path: string, bytes: number): string {
  return (
    `The key file ${path} does not hold one key: it has ${counted(bytes, 'byte')} and should hold ${KEY_FORM}. Put ` +
    'the backup back, or set SECRET_KEY; with another key, stored repo tokens cannot be opened.'
  );
}

export const SHARE_LINKS = 'share links';
export const HOST_APPS = 'Apps of git hosts';
