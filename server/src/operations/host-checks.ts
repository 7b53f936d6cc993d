import type { Repo } from '../core/repo/repo.ts';
import * as say from '../messages/doctor.ts';
import type { Host } from '../ports/host.ts';
import type { HostCheckup } from '../ports/host-checkup.ts';
import { ProviderFailure } from '../ports/provider.ts';
import type { Store } from '../storage/store.ts';
import { type Check, type DoctorDeps, type Finding, failed, ok, skipped, warning } from './check.ts';

/** Milliseconds that the clocks may differ: id-tokens are judged by ours. */
const CLOCKS_APART = 30_000;
/** As the alerts of docs/monitoring.md have it, in ms. */
const LONG_UNSENT = 900_000;
const HOUR = 3_600_000;
const REPOS_AT_ONCE = 500;

/** What is seen of one git host, by one question to it. */
export function hostChecks(host: Host, deps: DoctorDeps): readonly Check[] {
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
    return found instanceof ProviderFailure ? skipped(say.noAnswer(name)) : check(found);
  };
  const inStore = (check: (store: Store) => Promise<Finding>) => () =>
    deps.store === undefined ? skipped(say.NO_DATABASE) : check(deps.store);
  return [
    { name: `${service}-proxy`, run: async () => checkWay(host, deps, await checkUp()) },
    { name: `${service}-clock`, run: answered((found) => checkClock(name, found)) },
    { name: `${service}-sign-in`, run: answered((found) => checkSignIn(host, found, deps.store)) },
    { name: `${service}-rate-limit`, run: answered(({ rateLimit }) => checkRateLimit(name, rateLimit)) },
    { name: `${service}-webhook`, run: inStore((store) => checkWebhook(host, store)) },
    { name: `${service}-announcements`, run: inStore((store) => checkAnnouncements(host, store, deps)) },
  ];
}

async function checkWay(host: Host, deps: DoctorDeps, found: HostCheckup | ProviderFailure): Promise<Finding> {
  const by = deps.outgoing.join(', ');
  if (!(found instanceof ProviderFailure)) return ok(say.answers({ name: host.name, address: found.address, by }));
  const seen = say.asSentence(found.message);
  return (await isUsed(host, deps)) ? failed(seen, say.mendWay(by)) : skipped(`${seen} ${say.nothingOf(host.name)}`);
}

/** Whether anything here needs the host: a credential, a way to sign in, an owner whose uploads make repos, a repo. */
async function isUsed({ service, provider, signIn, webhook }: Host, deps: DoctorDeps): Promise<boolean> {
  if ((provider ?? signIn) !== undefined || webhook?.hasSecret || deps.adoptsFrom.includes(service)) return true;
  const [first] = (await deps.store?.repos.list({ after: { service, name: '' }, limit: 1 })) ?? [];
  return first?.service === service;
}

function checkClock(name: string, { clocks }: HostCheckup): Finding {
  if (clocks === undefined) return skipped(say.noDate(name));
  const apart = clocks.host - clocks.ours;
  const seen = say.clocksApart(name, Math.round(apart / 1_000));
  return Math.abs(apart) > CLOCKS_APART ? warning(seen, say.SET_CLOCK) : ok(seen);
}

async function checkSignIn(host: Host, { signIn }: HostCheckup, store: Store | undefined): Promise<Finding> {
  const { name } = host;
  if (signIn.kind === 'none') return warning(say.notSignedIn(name), say.signInAt(name));
  if (signIn.kind === 'refused') return failed(say.asSentence(signIn.why), say.signInAt(name));
  if (signIn.kind === 'unknown') return warning(say.asSentence(signIn.why), say.askAgain(name));
  if (signIn.kind === 'token') {
    const rights = signIn.rights?.join(', ');
    if (signIn.missing.length > 0)
      return failed(say.tokenMisses({ name, missing: signIn.missing.join(', ') }), say.grantRights(name));
    return ok(say.tokenMay({ name, rights }));
  }
  const { id, installations } = signIn;
  if (signIn.missing.length > 0) return failed(say.appMisses(id, signIn.missing.join(', ')), say.grantRights(name));
  if (signIn.missingEvents.length > 0)
    return warning(say.appNotSubscribed(id, signIn.missingEvents.join(', ')), say.grantRights(name));
  const { repos, lost } = await countRepos(host, id, store);
  if (installations === 0) return (repos > 0 ? failed : warning)(say.appNowhere(id), say.INSTALL_APP);
  if (signIn.suspended.length > 0) return failed(say.suspended(signIn.suspended.join(', ')), say.UNSUSPEND);
  if (lost.length > 0) return failed(say.appLost(id, lost), say.INSTALL_AGAIN);
  if (signIn.notAgreed.length > 0) return warning(say.notAgreed(signIn.notAgreed.join(', ')), say.AGREE);
  return ok(say.appMay(id, installations));
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
  if (rateLimit === undefined) return skipped(say.noRateLimit(name));
  const { left, limit, resetAt } = rateLimit;
  const seen = say.requestsLeft({ left, limit, resetAt });
  if (left === 0) return failed(seen, say.WAIT_FOR_RESET);
  return left * 10 < limit ? warning(seen, say.WAIT_FOR_RESET) : ok(seen);
}

async function checkWebhook({ service, name, webhook }: Host, { webhooks }: Store): Promise<Finding> {
  if (webhook === undefined) return skipped(say.noWebhook(name));
  if (!webhook.hasSecret) return warning(say.webhookOff(name), say.setWebhookSecret(name));
  const { deliveredAt, refused = 0, refusedAt = 0 } = (await webhooks.find(service)) ?? {};
  if (refused === 0)
    return deliveredAt === undefined
      ? warning(say.nothingDelivered(name), say.setWebhook(service))
      : ok(say.delivered(deliveredAt));
  const seen = say.signaturesWrong({ refused, refusedAt, deliveredAt });
  // Anybody may send there: while right messages come too, the secret is right.
  const isStranger = deliveredAt !== undefined && refusedAt - deliveredAt < HOUR;
  return (isStranger ? warning : failed)(seen, say.sameSecret(name));
}

async function checkAnnouncements({ service }: Host, store: Store, deps: DoctorDeps): Promise<Finding> {
  const now = deps.clock.now();
  const measured = (await store.measure(now)).outbox.find((one) => one.service === service);
  const { waiting = 0, givenUp = 0, oldestAt = now } = measured ?? {};
  const reason = givenUp === 0 ? undefined : (await store.outbox.listParked(1))[0]?.parked;
  const seen = say.announcementsWait({ waiting, givenUp, seconds: Math.round((now - oldestAt) / 1_000) });
  if (givenUp > 0) return warning(reason === undefined ? seen : `${seen} ${reason}`, say.MEND_ANNOUNCEMENTS);
  if (now - oldestAt <= LONG_UNSENT) return ok(seen);
  return (deps.database.isServed === false ? warning : failed)(seen, say.START_OR_LOG);
}
