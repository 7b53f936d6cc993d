import type { Context } from 'koa';
import { headerToken } from '../../access/browser/authenticate.ts';
import type { ResolvedToken } from '../../access/uploaders/resolve-token.ts';
import type { BodyLook } from '../../platform/http/read-body.ts';
import type { BodyMemory } from '../../platform/http/upload-budget.ts';
import { networkOf } from '../../platform/network-of.ts';
import { EARLY_BYTES, findLateToken, readEarlyFields } from '../../reports/ingest/early-fields.ts';
import type { UploadBody, UploadQueueKey } from '../../reports/ingest/ingest.ts';
import { type FoundQueueKey, findEarlyKey, findLateKey } from '../find-queue-key.ts';
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
