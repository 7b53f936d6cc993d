import type { Repo } from '../core/repo/repo.ts';
import { type Counts, counted, type Texts } from '../core/sentences.ts';
import type { Host } from '../ports/host.ts';
import type { HostCheckup } from '../ports/host-checkup.ts';
import { ProviderFailure } from '../ports/provider.ts';
import type { Store } from '../storage/store.ts';
import {
  asSentence,
  type Check,
  type Examined,
  type Finding,
  failed,
  NO_DATABASE,
  ok,
  START_OR_LOG,
  skipped,
  warning,
} from './check.ts';
import { checkEnd, checkRepoTokens, findTrouble } from './repo-host-checks.ts';

const WAIT_FOR_RESET = 'Wait until then. An App has one limit per owner; a token has one limit in total.';

const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Milliseconds that the clocks may differ: ID tokens are judged by ours. */
const CLOCKS_APART = 30_000;
/** As the alerts of docs/monitoring.md have it, in ms. */
const LONG_UNSENT = 900_000;
const HOUR = 3_600_000;
const REPOS_AT_ONCE = 500;

/** What is seen of one git host, by one question to it. */
export function hostChecks(host: Host, deps: Examined): readonly Check[] {
  const { service, name } = host;
  let asked: Promise<HostCheckup | ProviderFailure> | undefined;
  const checkUp = () => {
    asked ??= host.checkUp().catch((error: unknown) => {
      if (error instanceof ProviderFailure) return error;
      throw error;
    });
    return asked;
  };
  const answered = (check: (found: HostCheckup) => Finding | Promise<Finding>) => async () => {
    const found = await checkUp();
    return found instanceof ProviderFailure ? skipped(`${name} did not answer.`) : check(found);
  };
  const inStore = (check: (store: Store) => Promise<Finding>) => () =>
    deps.store === undefined ? skipped(NO_DATABASE) : check(deps.store);
  return [
    { name: `${service}-proxy`, run: async () => checkWay(host, deps, await checkUp()) },
    { name: `${service}-clock`, run: answered((found) => checkClock(name, found)) },
    { name: `${service}-sign-in`, run: answered((found) => checkSignIns(host, found, deps)) },
    { name: `${service}-rate-limit`, run: answered(({ rateLimit }) => checkRateLimit(name, rateLimit)) },
    { name: `${service}-webhook`, run: inStore((store) => checkWebhook(host, store, deps)) },
    { name: `${service}-announcements`, run: inStore((store) => checkAnnouncements(host, store, deps)) },
  ];
}

async function checkWay(host: Host, deps: Examined, found: HostCheckup | ProviderFailure): Promise<Finding> {
  const by = deps.outgoing.join(', ');
  if (!(found instanceof ProviderFailure)) {
    const way = `${host.name} answers at ${found.address}, ${by === '' ? 'without a proxy' : `by ${by}`}.`;
    return ok([way, ...versionOf(found)].join(' '));
  }
  const seen = asSentence(found.message);
  return (await isUsed(host, deps)) ? failed(seen, mendWay(by)) : skipped(`${seen} ${nothingOf(host.name)}`);
}

function versionOf({ version }: HostCheckup): readonly string[] {
  if (version === undefined) return [];
  const { text, lacks } = version;
  return [`It is version ${text}${lacks.length === 0 ? '' : `, which does not have: ${lacks.join(', ')}`}.`];
}

/** Whether anything here needs the host: a credential, a way to sign in, an owner whose uploads make repos, a repo. */
async function isUsed({ service, provider, signIn, webhook }: Host, deps: Examined): Promise<boolean> {
  if ((provider ?? signIn) !== undefined || webhook?.hasSecret || deps.adoptsFrom.includes(service)) return true;
  const [first] = (await deps.store?.repos.list({ after: { service, name: '' }, limit: 1 })) ?? [];
  return first?.service === service;
}

function checkClock(name: string, { clocks }: HostCheckup): Finding {
  if (clocks === undefined) return skipped(`${name} did not say what time it is.`);
  const apart = clocks.host - clocks.ours;
  const seen = clocksApart(name, Math.round(apart / 1_000));
  return Math.abs(apart) > CLOCKS_APART
    ? warning(seen, 'Set the clock of this machine (NTP): if it is wrong, tokens of workflows and Apps are rejected.')
    : ok(seen);
}

/** By the server's own credential; where that is in order, by those of single repos. */
async function checkSignIns(host: Host, found: HostCheckup, deps: Examined): Promise<Finding> {
  const own = await checkSignIn(host, found, deps);
  if (found.signIn.kind === 'none') {
    if (!(await isUsed(host, deps))) return skipped(nothingOf(host.name));
    return (await checkRepoTokens(host, deps, 'alone')) ?? own;
  }
  return own.state === 'ok' ? ((await checkRepoTokens(host, deps)) ?? own) : own;
}

async function checkSignIn(host: Host, { signIn }: HostCheckup, { store, clock }: Examined): Promise<Finding> {
  const { name } = host;
  if (signIn.kind === 'none')
    return warning(`This server does not sign in to ${name}: nothing is announced there.`, signInAt(name));
  if (signIn.kind === 'refused') return failed(asSentence(signIn.why), signInAt(name));
  if (signIn.kind === 'unknown')
    return warning(
      asSentence(signIn.why),
      `No setting has to change: check again when ${name} is available (npm run doctor). Pending work is retried.`,
    );
  if (signIn.kind === 'token') {
    const rights = signIn.rights?.join(', ');
    if (signIn.missing.length > 0)
      return failed(`The token for ${name} lacks the scope ${signIn.missing.join(', ')}.`, grantRights(name));
    return checkEnd(signIn, { of: `The token for ${name}`, clock }) ?? ok(tokenMay({ name, rights }));
  }
  const { id, installations } = signIn;
  if (signIn.missing.length > 0)
    return failed(`App ${id} lacks the permissions ${signIn.missing.join(', ')}.`, grantRights(name));
  if (signIn.missingEvents.length > 0)
    return warning(`App ${id} is not subscribed to the events ${signIn.missingEvents.join(', ')}.`, grantRights(name));
  const { repos, lost } = await countRepos(host, id, store);
  if (installations === 0)
    return (repos > 0 ? failed : warning)(`App ${id} is installed nowhere.`, 'Install it for the owners of the repos.');
  if (signIn.suspended.length > 0)
    return failed(
      `The App is suspended for ${signIn.suspended.join(', ')}.`,
      'Let each of these accounts end the suspension, or remove the installation.',
    );
  if (lost.length > 0)
    return failed(
      appLost(id, lost),
      'Let their owners install the App again or give it these repos, or remove them here.',
    );
  if (signIn.notAgreed.length > 0)
    return warning(
      `These accounts have not accepted all permissions of the App: ${signIn.notAgreed.join(', ')}.`,
      'Let each of these accounts accept the new permissions in the settings of its installation.',
    );
  return ok(`App ${id} has every permission and event; ${counted(installations, 'installation')}.`);
}

/** The host's repos here, and the names of those that the App lost: their owner uninstalled it, or took them out. */
async function countRepos({ service }: Host, appId: number, store: Store | undefined) {
  const lost: string[] = [];
  let repos = 0;
  const page = async (after: Repo | undefined): Promise<void> => {
    const found = (await store?.repos.list({ after, limit: REPOS_AT_ONCE })) ?? [];
    for (const repo of found) {
      if (repo.service !== service) continue;
      repos += 1;
      if (repo.accessLost?.appId === appId) lost.push(repo.name);
    }
    if (found.length === REPOS_AT_ONCE) await page(found.at(-1));
  };
  await page(undefined);
  return { repos, lost };
}

function checkRateLimit(name: string, rateLimit: HostCheckup['rateLimit']): Finding {
  if (rateLimit === undefined) return skipped(`${name} states no rate limit.`);
  const { left, limit, resetAt } = rateLimit;
  const seen = `${left} of ${limit} requests are left until ${timeOf(resetAt)}.`;
  if (left === 0) return failed(seen, WAIT_FOR_RESET);
  return left * 10 < limit ? warning(seen, WAIT_FOR_RESET) : ok(seen);
}

async function checkWebhook(host: Host, store: Store, deps: Examined): Promise<Finding> {
  const { service, name, webhook } = host;
  if (webhook === undefined) return skipped(`${name} has no webhook here.`);
  if (!(await isUsed(host, deps))) return skipped(nothingOf(name));
  if (!webhook.hasSecret)
    return warning(
      `No secret of ${name}'s webhook is set, so no message is accepted.`,
      `Set the secret of ${name}'s webhook (docs/hosts.md): bases, landings and renames are learned from it.`,
    );
  const trouble = await findTrouble(host, deps);
  if (trouble !== undefined)
    return failed(
      trouble,
      'See there why they failed, then press "Create or repair the webhook" on its settings ' + 'page.',
    );
  const { deliveredAt, refused = 0, refusedAt = 0 } = (await store.webhooks.find(service)) ?? {};
  if (refused === 0)
    return deliveredAt === undefined
      ? warning(
          `No message from ${name} has arrived yet.`,
          `Check that the URL of the webhook is BASE_URL/hooks/${service}, and that it can be reached from there.`,
        )
      : ok(`The last message came at ${timeOf(deliveredAt)}; its signature was right.`);
  const seen = signaturesWrong({ refused, refusedAt, deliveredAt });
  // Anybody may send there: while right messages come too, the secret is right.
  const isStranger = deliveredAt !== undefined && refusedAt - deliveredAt < HOUR;
  return (isStranger ? warning : failed)(
    seen,
    `Set the same secret here and in the webhook at ${name}. The messages may also come from someone else.`,
  );
}

async function checkAnnouncements({ service }: Host, store: Store, deps: Examined): Promise<Finding> {
  const now = deps.clock.now();
  const measured = (await store.measure(now)).outbox.find((one) => one.service === service);
  const { waiting = 0, givenUp = 0, oldestAt = now } = measured ?? {};
  const reason = givenUp === 0 ? undefined : (await store.outbox.listGivenUp(1))[0]?.parked;
  const seen = announcementsWait({ waiting, givenUp, seconds: Math.round((now - oldestAt) / 1_000) });
  if (givenUp > 0)
    return warning(
      reason === undefined ? seen : `${seen} ${reason}`,
      'Fix the cause. They are retried once at the next start, or with rerun_build.',
    );
  if (now - oldestAt <= LONG_UNSENT) return ok(seen);
  return (deps.database.isServed === false ? warning : failed)(seen, START_OR_LOG);
}

function nothingOf(host: string): string {
  return `${host} is not set up here, and no repo uses it.`;
}

function mendWay(by: string): string {
  const settings = by === '' ? 'Calls go without a proxy: set HTTPS_PROXY if one is needed' : `Calls go by ${by}`;
  return `${settings}. Check that this machine can reach the URL.`;
}

function clocksApart(host: string, seconds: number): string {
  if (seconds === 0) return `The clock agrees with that of ${host}.`;
  return `The clock is ${counted(Math.abs(seconds), 'second')} ${seconds > 0 ? 'behind' : 'ahead of'} that of ${host}.`;
}

function signInAt(host: string): string {
  return `Create an App at /setup, or set the credentials for ${host} (docs/hosts.md).`;
}

function tokenMay({ name, rights }: Texts<'name'> & { readonly rights: string | undefined }): string {
  const may = rights === undefined ? `; ${name} does not say what it may do` : ` (${rights})`;
  return `The token for ${name} is valid${may}.`;
}

function grantRights(host: string): string {
  return `Grant it at ${host}, in the settings of the App or token.`;
}

function appLost(id: number, repos: readonly string[]): string {
  const [first = '', ...others] = repos;
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'other repo')}`;
  return `App ${id} was removed from ${first}${more}: nothing is announced there.`;
}

function signaturesWrong({
  refused,
  refusedAt,
  deliveredAt,
}: Counts<'refused' | 'refusedAt'> & { readonly deliveredAt: number | undefined }): string {
  const since =
    deliveredAt === undefined ? 'none was right so far' : `the last right one came at ${timeOf(deliveredAt)}`;
  const messages = counted(refused, 'message');
  return `${messages} had a wrong signature or none, the last at ${timeOf(refusedAt)}; ${since}.`;
}

function announcementsWait({ waiting, givenUp, seconds }: Counts<'waiting' | 'givenUp' | 'seconds'>): string {
  const oldest = waiting === 0 ? '' : `, the oldest for ${seconds} s`;
  return `${counted(waiting, 'announcement')} waiting${oldest}; ${givenUp} given up.`;
}
