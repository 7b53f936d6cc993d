import { findAdministeredRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { serverStatusNames } from '../core/announce/contexts.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import { KEPT_REFUSED } from '../core/builds/refused-upload.ts';
import type { Repo } from '../core/repo/repo.ts';
import type { Host } from '../ports/host.ts';
import { ProviderFailure } from '../ports/provider.ts';
import type { Services } from '../services/services.ts';
import { isoDay } from '../wording/phrases.ts';

/** What was seen of one step of a repo's set-up. */
export interface SetupEvidence {
  readonly state: 'ok' | 'failed' | 'waiting';
  /** As sentences. */
  readonly words: string;
}

/** Each by what was seen, never by what somebody says they did; undefined: the repo's host has no such step. */
export interface SetupChecks {
  /** Whether this server may read the repo and post to it. */
  readonly access: SetupEvidence | undefined;
  readonly webhook: SetupEvidence | undefined;
  readonly upload: SetupEvidence;
  readonly status: SetupEvidence | undefined;
  /** Whether a merge waits for the status. */
  readonly required: SetupEvidence | undefined;
  /** Whether this server can make the webhook. */
  readonly makesWebhook: boolean;
}

type Needed = Pick<
  Services,
  | 'baseUrl'
  | 'clock'
  | 'config'
  | 'hosts'
  | 'resolveAccess'
  | 'outbox'
  | 'refusals'
  | 'repos'
  | 'secrets'
  | 'timers'
  | 'views'
  | 'webhooks'
>;

/** How long the page waits for the git host, in ms. */
const HOST_LIMIT = 5_000;
/** For a commit, all contexts that a set-up can have. */
const MAX_RECORDS = 10;

/** Asks the git host and the store how far the set-up of a repo is, for somebody who may administer it. */
export async function checkSetup(services: Needed, request: RepoRequest): Promise<SetupChecks> {
  const repo = await findAdministeredRepo(services, request);
  const host = services.hosts.of(repo);
  const { builds } = await services.views.list({ repoId: repo.id, branch: undefined, offset: 0, limit: 1 });
  const [newest] = builds;
  const [access, webhook, upload, status, required] = await Promise.all([
    host && answerOf(services, host, checkAccess(services, host, repo)),
    host && answerOf(services, host, checkWebhook(services, host, repo)),
    checkUpload(services, repo, newest),
    host && checkStatus(services, host, newest),
    host && answerOf(services, host, checkRequired(services, host, repo)),
  ]);
  const makesWebhook = host?.webhook?.hasSecret === true && host.provider?.setWebhook !== undefined;
  return { access, webhook, upload, status, required, makesWebhook };
}

/** If the host refuses, or does not answer in time, that is shown instead. */
async function answerOf(
  { timers }: Pick<Services, 'timers'>,
  { name }: Host,
  checking: Promise<SetupEvidence | undefined>,
): Promise<SetupEvidence | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<SetupEvidence>();
  const slow = `${name} has not answered yet. Reload this page to ask again.`;
  const timer = timers.start(HOST_LIMIT, () => resolve(waiting(slow)));
  const answered = checking.catch((error: unknown) => {
    if (error instanceof ProviderFailure) return failed(error.message);
    throw error;
  });
  try {
    return await Promise.race([answered, late]);
  } finally {
    timer.cancel();
  }
}

async function checkAccess(
  { secrets }: Pick<Services, 'secrets'>,
  host: Host,
  { name: repo, hostToken }: Repo,
): Promise<SetupEvidence> {
  const { name, credential, provider } = host;
  if (provider === undefined)
    return waiting(`This server cannot sign in to ${name} yet: set ${credential}, or give the repo its own token.`);
  const token = hostToken && secrets.openText(hostToken.sealed);
  const asked = (token === undefined ? undefined : host.withToken?.(token)) ?? host;
  const [found, { signIn }] = await Promise.all([provider.describeRepo({ repo }), asked.checkUp()]);
  if (signIn.kind === 'refused') return failed(signIn.why);
  if (found === undefined) return failed(`${name} does not show ${repo} to this server: give its token access to it.`);
  const seen = `${name} shows the repo to this server.`;
  if (signIn.kind !== 'token') return ok(seen);
  const { missing, rights, endsAt } = signIn;
  if (missing.length > 0) return failed(`The token for ${name} lacks ${missing.join(', ')}: make one that has it.`);
  const may = rights === undefined ? '' : ` Its token has ${rights.join(', ')}.`;
  return ok(`${seen}${may}${endsAt === undefined ? '' : ` The token expires on ${isoDay(endsAt)}.`}`);
}

/** By the host's list of webhooks; where this server cannot ask for it, by what came. */
async function checkWebhook(
  { baseUrl, webhooks }: Pick<Services, 'baseUrl' | 'webhooks'>,
  { name, service, webhook, provider }: Host,
  { name: repo }: Repo,
): Promise<SetupEvidence | undefined> {
  if (webhook === undefined) return undefined;
  if (!webhook.hasSecret)
    return waiting(`This server accepts no webhooks from ${name} yet: its operator has to set the secret for them.`);
  const state = await provider?.readWebhook?.({ repo, address: `${baseUrl()}/hooks/${service}` });
  if (state?.kind === 'failing') return failed(state.why);
  if (state?.kind === 'missing') return waiting(`${name} has no webhook for this server yet.`);
  if (state?.kind === 'set') return ok(`${name} has the webhook, and sends to it.`);
  const deliveredAt = (await webhooks.find(service))?.deliveredAt;
  return deliveredAt === undefined
    ? waiting(`No message from ${name} has arrived yet.`)
    : ok(`The last message from ${name} came on ${isoDay(deliveredAt)}, and its signature was right.`);
}

async function checkUpload(
  { refusals, clock }: Pick<Services, 'clock' | 'refusals'>,
  { id }: Repo,
  newest: BuildSummary | undefined,
): Promise<SetupEvidence> {
  if (newest !== undefined) return ok(`An upload has arrived: build ${newest.number}${ofCommit(newest.commit)}.`);
  const refused = await refusals.list(id, clock.now() - KEPT_REFUSED);
  const own = refused.find(({ unproven }) => unproven !== true);
  return own === undefined
    ? waiting('Waiting for the first upload. This page updates itself.')
    : failed(`An upload was refused: ${own.sentence}`);
}

async function checkStatus(
  { outbox }: Pick<Services, 'outbox'>,
  { name }: Host,
  newest: BuildSummary | undefined,
): Promise<SetupEvidence> {
  const records = newest === undefined ? [] : await outbox.ofBuild(newest, { parked: false, limit: MAX_RECORDS });
  for (const { target, delivered } of records)
    if (target.kind === 'status' && delivered !== undefined)
      return ok(`${name} shows the status "${target.context}"${ofCommit(target.commit)}.`);
  const parked = records.find((record) => record.parked !== undefined)?.parked;
  return parked === undefined ? waiting(`No status has been set at ${name} yet.`) : failed(parked);
}

async function checkRequired(
  { config }: Pick<Services, 'config'>,
  { name, provider }: Host,
  { name: repo, settings, seen }: Repo,
): Promise<SetupEvidence | undefined> {
  const branch = settings.defaultBranch ?? seen?.defaultBranch ?? 'main';
  const { build: context } = settings.statusNames ?? serverStatusNames(config.statusContext);
  const isRequired = await provider?.requiresStatus?.({ repo, branch, context });
  if (isRequired === undefined) return undefined;
  return isRequired
    ? ok(`${name} merges nothing into ${branch} before the status "${context}" passes.`)
    : waiting(`${name} does not wait for the status "${context}" yet before it merges into ${branch}.`);
}

const ofCommit = (commit: string | undefined): string =>
  commit === undefined ? '' : ` for commit ${commit.slice(0, 7)}`;

const ok = (words: string): SetupEvidence => ({ state: 'ok', words });
const failed = (words: string): SetupEvidence => ({ state: 'failed', words });
const waiting = (words: string): SetupEvidence => ({ state: 'waiting', words });
