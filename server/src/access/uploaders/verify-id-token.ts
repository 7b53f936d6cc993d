import {
  type ClaimDifference,
  factsOfClaims,
  findCloseDifference,
  findDifference,
  isOfPullRequest,
} from '../../core/builds/claimed-facts.ts';
import type { JobFacts } from '../../core/builds/job.ts';
import { Failure, quoteValue } from '../../core/failure.ts';
import { isAllowedOwner } from '../../core/repo/allowed-owners.ts';
import type { Repo } from '../../core/repo/repo.ts';
import { isAmongIssuers, type RunClaims } from '../../core/repo/run-claims.ts';
import { RUN_WITHOUT_SECRETS, runOfBot } from '../../core/repo/sentences.ts';
import type { TrustProblem, VouchedRun } from '../../core/repo/workflow-run.ts';
import { createDeadline } from '../../hosts/facts/deadline.ts';
import type { Host, HostIdTokens } from '../../ports/host.ts';
import type { CheckedIdToken } from '../../ports/id-tokens.ts';
import { ProviderFailure } from '../../ports/provider.ts';
import type { Services } from '../../services/services.ts';
import { adoptRepo } from './adopt-repo.ts';
import type { SentToken } from './remembered-tokens.ts';
import { checkNotSuspended } from './repo-of-token.ts';
import {
  claimWrong,
  HAVE_REPO_MADE,
  HAVE_REPO_REPLACED,
  hostAsksToWait,
  hostTooSlow,
  NEW_ID_TOKEN,
  otherRepoNow,
  repoNotHere,
  tokenRefused,
} from './sentences.ts';
import type { UploaderServices } from './uploader-services.ts';
import { isUnanswered, type RunHead, refusedToTell } from './verify-pull-run.ts';

const ID_TOKEN = 'an ID token';
/** ms */
const ASKING_LIMIT = 6_000;

/** What an ID token has to agree with. */
export interface SentBesideToken {
  /** What an upload says of itself; undefined on a close and where something is only read. */
  readonly facts?: JobFacts;
  /** Whether it says which attempt it is. */
  readonly statesAttempt?: boolean;
  /** All that is sent, as one text, for an ID token carries nothing else; undefined: something is only read. */
  readonly content?: () => string;
}

export interface IdTokenClaim extends SentBesideToken, SentToken {
  readonly repoName: string | undefined;
  /** For a close: the build that it names. */
  readonly runs: readonly (string | undefined)[];
  readonly spent?: number | undefined;
}

/** Trusted as the host's other tokens are (rule 29): for the builds of its run. */
export interface IdTokenUploader {
  readonly repo: Repo;
  readonly trust: 'provider';
  readonly run: VouchedRun;
  readonly facts: Partial<JobFacts> | undefined;
  /** What the sender is told: why it is kept unverified. */
  readonly warning: string | undefined;
}

/** A token whose signature was checked, and what it says. */
export interface OpenedIdToken {
  readonly checked: CheckedIdToken;
  readonly host: Host;
  readonly claims: RunClaims;
  /** Undefined: it was not here yet. */
  readonly repo: Repo | undefined;
}

type Spoken = Omit<OpenedIdToken, 'repo'>;

/** Whether a text has the form of an ID token. */
export function isIdToken({ idTokens }: Pick<Services, 'idTokens'>, token: string): boolean {
  return idTokens.issuerOf(token) !== undefined;
}

/** Checks the signature of one, and finds its repo. Throws a Failure. */
export async function openIdToken(services: UploaderServices, claim: TokenClaim): Promise<OpenedIdToken> {
  const spoken = await readToken(services, claim);
  const repo = await findRepo(services, spoken.host, spoken.claims);
  return { ...spoken, repo, host: (repo && services.hosts.of(repo)) ?? spoken.host };
}

/**
 * Uploads, closes and reads by an id-token: what it says of its run counts, and what comes beside it must agree. Throws
 * a Failure, before anything is stored.
 */
export async function verifyIdToken(
  services: UploaderServices,
  claim: IdTokenClaim,
  spoken: OpenedIdToken,
): Promise<IdTokenUploader> {
  const { host, claims } = spoken;
  refuseDifference(claim, spoken);
  // Another job of its run may have had it made in the meantime.
  const known = spoken.repo ?? (await findRepo(services, host, claims));
  const { allowedOwners } = services.config;
  const mayBeMade = claim.facts !== undefined && isAllowedOwner(allowedOwners, addressOf(host, claims));
  if (known !== undefined) checkIdentity(known, claim, spoken);
  else if (!mayBeMade) throw notHere(claim, spoken);
  const { head, denied, ref } = await findHead(services, claim, spoken);
  await useOnce(services, claim, spoken.checked);
  const repo = known ?? (await adoptRepo(services, { ...addressOf(host, claims), providerId: claims.repo.id }));
  if (repo === undefined) throw notHere(claim, spoken);
  const bound = await bind(services, checkIdentity(repo, claim, spoken), claims);
  const facts = claim.facts && factsOfClaims(claim.facts, { claims: withQueue(claims, ref, host), head, host });
  return {
    repo: bound,
    trust: 'provider',
    run: runOf(claims, { head, denied }),
    facts,
    warning:
      denied &&
      `The upload is stored, and unverified until ${host.name} lets this server see the run ${claims.run}; ` +
        `then it is judged. ${denied}${denied.endsWith('.') ? '' : '.'}`,
  };
}

type TokenClaim = Pick<IdTokenClaim, 'repoName' | 'token' | 'address'>;

async function readToken(services: UploaderServices, claim: TokenClaim): Promise<Spoken> {
  const { idTokens, hosts } = services;
  const checked = await idTokens.check(claim.token, claim.address).catch((error: unknown) => {
    throw error instanceof ProviderFailure ? unchecked(error, error.message) : error;
  });
  if ('found' in checked) throw refuse(claim, checked);
  const host = hosts.all.find((one) => isAmongIssuers(one.idTokens?.issuers ?? [], checked.issuer));
  if (host?.idTokens === undefined) throw refuse(claim, { found: claimWrong('iss'), remedy: NEW_ID_TOKEN });
  const claims = await readClaims(services, claim, { host, idTokens: host.idTokens, checked });
  const bot = claims.actor === undefined ? undefined : host.runs.botWithoutSecrets(claims.actor);
  if (bot === undefined) return { checked, host, claims };
  throw refuse(claim, { found: runOfBot(claims.run, bot), remedy: RUN_WITHOUT_SECRETS });
}

/** What the token leaves out is asked of its host, within the time that a client waits. */
async function readClaims(
  { repos, hosts, timers }: UploaderServices,
  claim: TokenClaim,
  { host, idTokens, checked }: Pick<Spoken, 'host' | 'checked'> & { readonly idTokens: HostIdTokens },
): Promise<RunClaims> {
  const { service } = host;
  const asking = {
    issuer: checked.issuer,
    provider: hosts.of({ service, hostToken: true })?.provider,
    nameOf: async (id: string) => (await repos.findByProviderId(service, id))?.name,
  };
  try {
    const read = await createDeadline(timers, ASKING_LIMIT)(async () => idTokens.readClaims(checked.claims, asking));
    if ('wrong' in read) throw refuse(claim, { found: claimWrong(read.wrong), remedy: NEW_ID_TOKEN });
    if ('found' in read) throw refuse(claim, read);
    return read;
  } catch (error) {
    if (isUnanswered(error)) throw unanswered(host, error);
    throw error instanceof ProviderFailure ? refuse(claim, refusedToTell(host, error)) : error;
  }
}

function refuseDifference(claim: IdTokenClaim, { claims, host }: Spoken): void {
  const { facts, content, repoName, statesAttempt = false } = claim;
  // A read names no run of its own.
  if (content === undefined) return;
  const difference =
    facts === undefined
      ? (findCloseDifference(claim.runs[0], claims) ?? findNameDifference(repoName, claims))
      : findDifference({ facts, repoName, statesAttempt }, claims, host);
  if (difference === undefined) return;
  const { field, sent, claimed } = difference;
  const sentence =
    `${field} is ${quoteValue(sent)}, but the ID token in repo_token is for ${quoteValue(claimed)}. ` +
    "Nothing was stored. Send the values of the run, or use the repo's own token.";
  throw new Failure('payload-invalid', sentence, { field });
}

function findNameDifference(repoName: string | undefined, { repo }: RunClaims): ClaimDifference | undefined {
  if (repoName === undefined || repoName.toLowerCase() === repo.name.toLowerCase()) return undefined;
  return { field: 'repo_name', sent: repoName, claimed: repo.name };
}

/** By the host's id; by its name only while nobody knows the id (rule 28). */
async function findRepo({ repos }: UploaderServices, host: Host, { repo }: RunClaims): Promise<Repo | undefined> {
  return (await repos.findByProviderId(host.service, repo.id)) ?? repos.findByName(host.service, repo.name);
}

function checkIdentity(repo: Repo, claim: TokenClaim, { host, claims }: Spoken): Repo {
  if (isRenamed(repo, claims)) return repo;
  if (repo.providerId === undefined || repo.providerId === claims.repo.id) return checkNotSuspended(repo);
  const ids = { host: host.name, now: claims.repo.id, before: repo.providerId };
  throw refuse(claim, { found: otherRepoNow(ids), remedy: HAVE_REPO_REPLACED });
}

/** The host signs that the repo has another name now: that its former name means another repo harms it no more. */
function isRenamed({ providerId, name }: Repo, { repo }: RunClaims): boolean {
  return providerId === repo.id && name.toLowerCase() !== repo.name.toLowerCase();
}

/** From now on the name alone is not enough. A repo that was suspended for its former name has its new one. */
async function bind({ repos, clock }: UploaderServices, repo: Repo, claims: RunClaims): Promise<Repo> {
  const { id: repoId, providerId, suspended } = repo;
  const at = clock.now();
  if (providerId === undefined) await repos.follow({ repoId, providerId: claims.repo.id, at });
  if (suspended === undefined) return repo;
  const followed = await repos.follow({ repoId, name: claims.repo.name, suspended: null, at });
  return typeof followed === 'object' ? followed : checkNotSuspended(repo);
}

/** A run of a merge queue, whose token says that it is of the pull request. */
function withQueue(claims: RunClaims, ref: string | undefined, { refs }: Host): RunClaims {
  return ref === undefined || refs.queueOf(ref) === undefined ? claims : { ...claims, ref, headBranch: undefined };
}

interface Head extends RunHead {
  readonly denied?: string | undefined;
}

/**
 * The commit that the run is for. Only a pull request's run needs more than the token; `denied`: why its host tells
 * this server nothing, so that the head is the upload's word for now.
 */
async function findHead(
  { verifyPullRun }: UploaderServices,
  claim: IdTokenClaim,
  { host, claims }: Spoken,
): Promise<Head> {
  if (!isOfPullRequest(claims, host) || claims.wasAsked) return { head: claims.commit };
  const { facts, spent } = claim;
  try {
    const found = await verifyPullRun({ host, claims, commit: facts?.commit, spent });
    if ('found' in found) throw refuse(claim, found);
    return 'denied' in found ? { head: facts?.commit ?? claims.commit, denied: found.denied } : found;
  } catch (error) {
    throw isUnanswered(error) ? unanswered(host, error) : error;
  }
}

function unanswered({ name }: Host, error: unknown): Failure {
  const isLimited = error instanceof ProviderFailure && error.kind === 'limited';
  return unchecked(error, `${isLimited ? hostAsksToWait(name) : hostTooSlow(name)}.`);
}

/** A token that somebody copied carries nothing else than what it was asked for; a repetition passes. */
async function useOnce(
  { usedIdTokens, secrets }: UploaderServices,
  claim: IdTokenClaim,
  { issuer, id, expiresAt }: CheckedIdToken,
): Promise<void> {
  if (claim.content === undefined) return;
  const digest = secrets.hash(claim.content());
  const kept = await usedIdTokens.use({ key: secrets.hash(JSON.stringify([issuer, id])), digest, expiresAt });
  if (kept !== digest)
    throw refuse(claim, {
      found: 'It was sent before with different content.',
      remedy: 'An ID token is valid for one upload or one close: ask for a new one for each.',
    });
}

function runOf({ run: id, number, commit }: RunClaims, { head, denied }: Head): VouchedRun {
  return { id, number, ...(denied === undefined ? { headCommit: head } : { headCommit: commit, unconfirmed: true }) };
}

function addressOf({ service }: Host, { repo }: RunClaims) {
  return { service, name: repo.name };
}

function notHere(claim: TokenClaim, { host, claims }: Spoken): Failure {
  const { service, name } = host;
  const found = repoNotHere({ host: name, service, repo: quoteValue(claims.repo.name) });
  return refuse(claim, { found, remedy: HAVE_REPO_MADE });
}

function refuse({ repoName }: Pick<TokenClaim, 'repoName'>, { found, remedy }: TrustProblem): Failure {
  const refused = { kind: ID_TOKEN, repoName: repoName && quoteValue(repoName), found, remedy };
  return new Failure('repo-token-unknown', tokenRefused(refused), { field: 'repo_token' });
}

function unchecked(cause: unknown, why: string): Failure {
  return new Failure('unavailable', uncheckedIdToken(ID_TOKEN, why), { cause });
}

function uncheckedIdToken(kind: string, why: string): string {
  return `repo_token is ${kind}, which could not be checked. ${why} Nothing was stored; send it again.`;
}
