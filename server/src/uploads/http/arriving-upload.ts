import type { Context } from 'koa';
import { headerToken } from '../../access/browser/authenticate.ts';
import { requireRepo } from '../../access/uploaders/repo-of-token.ts';
import { type ResolvedToken, resolveToken } from '../../access/uploaders/resolve-token.ts';
import type { UploaderServices } from '../../access/uploaders/uploader-services.ts';
import { isIdToken } from '../../access/uploaders/verify-id-token.ts';
import type { BodyLook } from '../../platform/http/read-body.ts';
import type { BodyMemory } from '../../platform/http/upload-budget.ts';
import { networkOf } from '../../platform/network-of.ts';
import { EARLY_BYTES, findLateToken, readEarlyFields } from '../../reports/ingest/early-fields.ts';
import type { UploadBody, UploadQueueKey } from '../../reports/ingest/ingest.ts';
import type { UploadServices } from '../upload-services.ts';

/** One upload while it arrives: its queue key, its repo. */
export interface ArrivingUpload {
  readonly look: BodyLook;
  /** Once it is all here. Throws a Failure for a token that nobody knows, and for an address that sent too much. */
  of(body: UploadBody): Promise<UploadQueueKey>;
  /** The token that was found, looked up already; the whole upload may say that another one counts. */
  resolved(): ResolvedToken | undefined;
  /** Whose token it holds, as far as that was found out. */
  repoId(): number | undefined;
  /** The name that it gives its repo, as far as its beginning tells. */
  repoName(): string | undefined;
  /** It was accepted: its caller is known by now. */
  accepted(): void;
}

interface Arriving {
  /** What the headers say of the body. */
  readonly sent: Omit<UploadBody, 'bytes'>;
  readonly memory: BodyMemory;
}

export function openArrivingUpload(
  services: UploadServices,
  context: Context,
  { sent, memory }: Arriving,
): ArrivingUpload {
  let early: Promise<FoundQueueKey | undefined> | undefined;
  let found: FoundQueueKey | undefined;
  let giveBack = (): void => {};
  let repoName: string | undefined;
  const address = networkOf(context.request.ip);
  const find = async (bytes: Uint8Array): Promise<FoundQueueKey | undefined> => {
    const fields = await readEarlyFields({ ...sent, bytes });
    repoName = fields.repoName;
    return findEarlyKey(services, { ...fields, headerToken: headerToken(context), address });
  };
  const lookAt = async (beginning: Uint8Array): Promise<number | undefined> => {
    early ??= find(beginning);
    found = await early;
    return found?.repoId;
  };
  const lookFirst = async (beginning: Uint8Array): Promise<void> => {
    if ((await lookAt(beginning)) === undefined) await memory.ofUnknown(context.request.length);
  };
  const lookLate = async (body: UploadBody): Promise<number | undefined> => {
    const token = findLateToken(body);
    const late = token === undefined ? undefined : await findLateKey(services, token, address);
    if (late?.repoId !== undefined) found = late;
    return late?.repoId;
  };
  return {
    look: { bytes: EARLY_BYTES, at: lookFirst },
    async of(body) {
      const since = performance.now();
      const repoId = (await lookAt(body.bytes.subarray(0, EARLY_BYTES))) ?? (await lookLate(body));
      if (repoId !== undefined) return { known: true, share: String(repoId) };
      giveBack = await services.limitAddress({ address, bytes: body.bytes.length });
      return { known: false, share: address, spent: performance.now() - since };
    },
    resolved: () => found?.resolved,
    repoId: () => found?.repoId,
    repoName: () => repoName,
    accepted: () => giveBack(),
  };
}

/** What is known of an upload before all of it is checked. */
interface EarlyClaim {
  /** The job's own token, where it was found. */
  readonly token: string | undefined;
  readonly repoName: string | undefined;
  /** The job has none, so that the header's counts. */
  readonly hasNoToken: boolean;
  /** The token of the Authorization header. */
  readonly headerToken: string | undefined;
  /** The network that it came from. */
  readonly address: string;
}

/** A token that came, and the id of its repo, where that can be said before its host is asked. */
interface FoundQueueKey {
  readonly resolved: ResolvedToken;
  readonly repoId: number | undefined;
}

/**
 * The key that an upload waits in line by, found cheaply; who uploads is found out once the upload is checked.
 * Undefined if only the whole upload can say which token counts. Throws a Failure for a token that nobody knows, or
 * that does not pass: no further byte is looked at.
 */
async function findEarlyKey(
  services: UploaderServices,
  { token, repoName, hasNoToken, headerToken, address }: EarlyClaim,
): Promise<FoundQueueKey | undefined> {
  const decisive = token ?? (hasNoToken ? headerToken : undefined);
  if (decisive === undefined)
    return headerToken === undefined ? undefined : findLateKey(services, headerToken, address);
  const found = await resolve(services, decisive, address);
  if (found.resolved.kind === 'own') requireRepo(found.resolved.repo, { token: decisive, repoName }, services.hosts);
  return found;
}

/** By a text that may be a token, and may be none. An ID token is checked only where it is the one that counts. */
async function findLateKey(
  services: UploaderServices,
  token: string,
  address: string,
): Promise<FoundQueueKey | undefined> {
  return isIdToken(services, token) ? undefined : resolve(services, token, address);
}

async function resolve(services: UploaderServices, token: string, address: string): Promise<FoundQueueKey> {
  const resolved = await resolveToken(services, { token, address, repoName: undefined });
  if (resolved.kind === 'host') return { resolved, repoId: services.vouchedTokens.find(token) };
  return { resolved, repoId: (resolved.kind === 'own' ? resolved.repo : resolved.opened.repo)?.id };
}
