import type { IngestedJob, UploadBody, UploadQueueKey } from './ingest/ingest.ts';
import type { IngestedPreview } from './ingest/ingest-preview.ts';

/** Memory for this many bytes of a body that goes to a thread. What is in it means nothing. */
export type AllocateBody = (bytes: number) => Uint8Array<ArrayBuffer>;

/** Uploads, checked off the main thread. */
export interface ReportIntake {
  /** Memory for a body that `ingest` or `ingestPreview` will take; it is used again. */
  readonly allocateBody: AllocateBody;
  /**
   * ingestJob in a thread. The body's bytes are handed over: they are empty afterward where they own their buffer.
   * Throws its Failures, `payload-too-large` when it takes too long, `unavailable` when the machine is too busy, no
   * thread comes free or the pool closes, `internal` when the thread died.
   */
  ingest(body: UploadBody, queueKey?: UploadQueueKey): Promise<IngestedJob>;
  /** The same of a preview's body. */
  ingestPreview(body: UploadBody, queueKey?: UploadQueueKey): Promise<IngestedPreview>;
}
