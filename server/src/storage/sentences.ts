export function jobReportMissing(job: number): string {
  return `The report of job ${job} is not stored any more.`;
}

export function noFileToRestore(path: string): string {
  return `There is no file ${path} to restore: check the path after --from.`;
}

export const STORE_CLOSED = 'The store is closed: the server is stopping.';

export function noDatabaseThere(path: string): string {
  return `There is no database ${path}. Set DATABASE_URL to the one that the server uses.`;
}

export function reportOfBuild(build: number): string {
  return `The report of build ${build}`;
}

export function reportOfJob(job: number): string {
  return `The report of job ${job}`;
}

export function notStored(what: string): string {
  return `${what} is not stored any more.`;
}

export function cannotUse(database: string, why: string): string {
  return `Cannot use the database ${database} of DATABASE_URL: ${why}`;
}

export const IMPORTED_TWICE = 'Another import is adding to this repo. Wait until it is done, and import again.';

export const IMPORT_CLEARED =
  'This import was removed: ' +
  'it made no progress for ten minutes, or another one of that name began. None of it is left.';

export function bulkWriteRefused(code: unknown, name: unknown): string {
  return (
    `MongoDB is 8.0 or later, but refuses bulkWrite (${name ?? 'error'}, ${code}), so an upload takes three commands ` +
    'instead of one. Check its featureCompatibilityVersion and the role of its user, then restart this server.'
  );
}
