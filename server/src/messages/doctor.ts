import { counted } from './counted.ts';
import type { Counts, Texts } from './values.ts';

// What `npm run doctor` and /readyz?verbose say: what was seen, and what to do.
export const DOCTOR_USAGE = `Usage:
  npm run doctor [-- --json]

Looks at everything that the server needs. A server that runs with these settings on this machine is asked what it
finds; otherwise the command looks itself. It makes no database and brings none up to date. Exit code: 0 where nothing
failed (warnings included), 1 where a check failed, 2 for a command line that is not understood.`;
export function notTaken(found: string): string {
  return `This command takes no ${JSON.stringify(found)}.`;
}

export const FORBIDDEN = 'Only administrators of this server may see what it found about itself.';
export const SEE_LOG = "See the server's log.";

export function tooLong(seconds: number): string {
  return `No answer came within ${seconds} seconds.`;
}

export function checkFailed(why: string): string {
  return `The check itself failed: ${why}`;
}

export function summary({ failed, warnings }: Counts<'failed' | 'warnings'>): string {
  return `${failed} failed, ${counted(warnings, 'warning')}.`;
}

/** Reasons of hosts end with a full stop, or not. */
export function asSentence(reason: string): string {
  return reason.endsWith('.') ? reason : `${reason}.`;
}

/** The words before what is to be done. */
export const REMEDY = 'to do:';

export function askedServer(address: string): string {
  return `This is what the server at ${address} finds about itself.`;
}

export const SETTINGS_KNOWN = 'Every setting is known, and none is weak.';
export const MEND_SETTINGS = 'Change these environment variables, and start the server again.';
export const NO_DATABASE = 'Not looked at, since the database cannot be used.';
export const MEND_DATABASE = 'Check DATABASE_URL, and that the server may read and write there.';
export const START_SERVER_ONCE = 'Start this version of the server once: it brings the database up to date.';
export const NOT_READ_WHOLE = 'Not read whole.';
export const READ_IT_WHOLE = 'Use npm run doctor for an SQLite file; MongoDB checks itself.';
export const WHOLE = 'Every page of the file can be read, and fits the others.';
export const DAMAGED = 'It could not be read whole.';
export const RESTORE_BACKUP = 'Stop the server, and restore a backup (npm run restore).';
export const NO_DISK_HERE = 'The database is in no file of this machine.';
export const MAKE_SPACE = 'Make space on the disk of the database, or lower MIN_FREE_DISK.';
export const KEY_GONE = 'The key file beside the database is missing, and SECRET_KEY is not set.';
export const BRING_KEY_BACK =
  'Set the SECRET_KEY (or bring back the key file) of the time. If it is lost, make new tokens (npm run rotate -- ' +
  '--lost), and the App again at /setup.';
export const START_OR_LOG = 'Start the server; if it runs, see its log for what stops it.';
export const MEND_BUILDS = 'See GET /api/v1/builds/set-aside and the log; then ask for rerun_build.';

export function databaseDamaged(found: string): string {
  return `The database is damaged: ${found.slice(0, 200)}.`;
}

export function schemaOld({
  name,
  version,
  latest,
}: Texts<'name'> & { readonly version: number | undefined; readonly latest: number | undefined }): string {
  return `${name} has version ${version} of the schema, and this program works with ${latest}.`;
}

export function databaseUnused(name: string): string {
  return `${name} could not be opened.`;
}

export function databaseWritable({ name, version }: Texts<'name'> & { readonly version: number | undefined }): string {
  const schema = version === undefined ? '' : `, version ${version} of the schema`;
  return `${name}${schema}; it takes writes.`;
}

const toMib = (bytes: number): number => Math.floor(bytes / 2 ** 20);

export function diskFree({ free, bytes, least }: Counts<'free' | 'bytes' | 'least'>): string {
  return `${toMib(free)} MiB are free, ${toMib(least)} are needed; the database has ${toMib(bytes)}.`;
}

export function keyWrong({ sealed, tokens, apps }: Counts<'sealed' | 'tokens' | 'apps'>): string {
  return `The key does not open ${sealed} of ${counted(tokens, 'stored repo token')}, and ${counted(apps, 'App')}.`;
}

export function keyOpens({ tokens, apps }: Counts<'tokens' | 'apps'>): string {
  return `The key opens ${counted(tokens, 'stored repo token')} and ${counted(apps, 'App')}.`;
}

export function buildsWait({ due, putOff, setAside, seconds }: Counts<'due' | 'putOff' | 'setAside' | 'seconds'>) {
  const oldest = due === 0 ? '' : `, the oldest for ${seconds} s`;
  return `${counted(due, 'build')} due${oldest}; ${putOff} put off after a failure, ${setAside} set aside.`;
}

export const NO_BASE_URL = 'BASE_URL is not set, and PORT is 0.';
export const SET_BASE_URL = 'Set BASE_URL to the address at which people and CI reach this server.';
export const REACH_BASE_URL =
  'Start the server; if it runs, check the name, the proxy in front of it, and whether it can be reached from here.';
export const USE_TLS = 'Put a proxy that does TLS in front of the server, and set BASE_URL to https.';

export function baseUrlSilent(address: string, why: string): string {
  return `Nothing answers at ${address} (${why}).`;
}

export function baseUrlRedirects(address: string, to: string): string {
  return `${address} leads elsewhere: ${JSON.stringify(to.slice(0, 200))}.`;
}

export function otherServer(address: string, status: number): string {
  return `Another server answers at ${address}, or one with another SECRET_KEY (status ${status}).`;
}

export function baseUrlUnset(address: string): string {
  return `BASE_URL is not set: links lead to ${address}.`;
}

export function baseUrlLocal(address: string): string {
  return `This server answers at ${address}, which only this machine can reach.`;
}

export function baseUrlReadable(address: string): string {
  return `This server answers at ${address}; what is sent there can be read on the way.`;
}

export function baseUrlAnswers(address: string): string {
  return `This server answers at ${address}.`;
}

export function noAnswer(host: string): string {
  return `${host} did not answer.`;
}

export function nothingOf(host: string): string {
  return `Nothing of ${host} is set up here, and no repo is there.`;
}

export function mendWay(by: string): string {
  const settings = by === '' ? 'Calls go without a proxy: set HTTPS_PROXY if one is needed' : `Calls go by ${by}`;
  return `${settings}. Check that this machine may reach the address.`;
}

export function answers({ name, address, by }: Texts<'name' | 'address' | 'by'>): string {
  return `${name} answers at ${address}, ${by === '' ? 'without a proxy' : `by ${by}`}.`;
}

export function noDate(host: string): string {
  return `${host} did not say what time it is.`;
}

export const SET_CLOCK =
  'Set the clock of this machine (NTP): tokens of workflows and Apps are refused by a wrong one.';

export function clocksApart(host: string, seconds: number): string {
  if (seconds === 0) return `The clock agrees with that of ${host}.`;
  return `The clock is ${counted(Math.abs(seconds), 'second')} ${seconds > 0 ? 'behind' : 'ahead of'} that of ${host}.`;
}

export function notSignedIn(host: string): string {
  return `This server does not sign in at ${host}: nothing is announced there.`;
}

export function signInAt(host: string): string {
  return `Make an App at /setup, or set what signs in at ${host} (docs/operating.md).`;
}

export function askAgain(host: string): string {
  return `Nothing has to be set: ask once more when ${host} is well (npm run doctor). What is due there is repeated.`;
}

export function tokenMisses({ name, missing }: Texts<'name' | 'missing'>): string {
  return `The token for ${name} has not the scope ${missing}.`;
}

export function tokenMay({ name, rights }: Texts<'name'> & { readonly rights: string | undefined }): string {
  const may = rights === undefined ? `; ${name} does not say what it may do` : ` (${rights})`;
  return `The token for ${name} is valid${may}.`;
}

export function grantRights(host: string): string {
  return `Grant it at ${host}, in the settings of the App or token.`;
}

export function appMisses(id: number, missing: string): string {
  return `App ${id} has not the permissions ${missing}.`;
}

export function appNotSubscribed(id: number, events: string): string {
  return `App ${id} is not subscribed to the events ${events}.`;
}

export const INSTALL_APP = 'Install it for the owners of the repos.';
export const AGREE = 'Let each of these accounts accept the new permissions in the settings of its installation.';
export const UNSUSPEND = 'Let each of these accounts end the suspension, or remove the installation.';

export function appNowhere(id: number): string {
  return `App ${id} is installed nowhere.`;
}

export const INSTALL_AGAIN = 'Let their owners install the App again or give it these repos, or remove them here.';

export function appLost(id: number, repos: readonly string[]): string {
  const [first = '', ...others] = repos;
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'other repo')}`;
  return `App ${id} was taken away from ${first}${more}: nothing is announced there.`;
}

export function notAgreed(accounts: string): string {
  return `These accounts have not accepted all permissions of the App: ${accounts}.`;
}

export function suspended(accounts: string): string {
  return `The App is suspended for ${accounts}.`;
}

export function appMay(id: number, installations: number): string {
  return `App ${id} has every permission and event; ${counted(installations, 'installation')}.`;
}

export const WAIT_FOR_RESET = 'Wait until then; an App has a limit for each owner, a token one for all.';

export function noRateLimit(host: string): string {
  return `${host} names no limit of requests.`;
}

export function requestsLeft({ left, limit, resetAt }: Counts<'left' | 'limit' | 'resetAt'>): string {
  return `${left} of ${limit} requests are left until ${timeOf(resetAt)}.`;
}

export function noWebhook(host: string): string {
  return `${host} has no webhook here.`;
}

export function webhookOff(host: string): string {
  return `No secret of ${host}'s webhook is set, so no message is taken.`;
}

export function setWebhookSecret(host: string): string {
  return `Set the secret of ${host}'s webhook (docs/operating.md): bases, landings and renames are learnt from it.`;
}

export function nothingDelivered(host: string): string {
  return `No message of ${host} has come yet.`;
}

export function setWebhook(service: string): string {
  return `Check that the webhook's address is BASE_URL/hooks/${service}, and that it is reached from there.`;
}

export function delivered(at: number): string {
  return `The last message came at ${timeOf(at)}; its signature was right.`;
}

export function signaturesWrong({
  refused,
  refusedAt,
  deliveredAt,
}: Counts<'refused' | 'refusedAt'> & { readonly deliveredAt: number | undefined }): string {
  const since =
    deliveredAt === undefined ? 'none was right so far' : `the last right one came at ${timeOf(deliveredAt)}`;
  const messages = counted(refused, 'message');
  return `${messages} had a wrong signature or none, the last at ${timeOf(refusedAt)}; ${since}.`;
}

export function sameSecret(host: string): string {
  return `Set the same secret here and in the webhook at ${host}. Strangers may send there too.`;
}

export function announcementsWait({ waiting, givenUp, seconds }: Counts<'waiting' | 'givenUp' | 'seconds'>): string {
  const oldest = waiting === 0 ? '' : `, the oldest for ${seconds} s`;
  return `${counted(waiting, 'announcement')} waiting${oldest}; ${givenUp} given up.`;
}

export const MEND_ANNOUNCEMENTS = 'Mend the reason. They are tried once more at the next start, or by rerun_build.';

const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

export const MEND_OPENID = 'Check OIDC_ISSUER, and that this machine may reach it.';
export const NO_OPENID = 'Nobody signs in at an OpenID provider.';

export function openIdAnswers(name: string): string {
  return `${name} answers; its groups mean nothing here.`;
}

export function groupsAskedAgain(name: string, age: string): string {
  return `${name} answers. Groups count for ${age}; it offers offline_access, and is asked for them again before.`;
}

export function groupsEnd(name: string, age: string): string {
  return `${name} answers. It offers no offline_access: rights by groups end ${age} after each sign-in.`;
}
