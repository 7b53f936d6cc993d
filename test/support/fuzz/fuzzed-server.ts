import type { ServerOptions } from '../server-process.ts';

/** Limits so low that a fuzz reaches them, and the memory (bytes) that such a server may ever have in use. */
export const FUZZED_SERVER: ServerOptions & { readonly memory: number } = {
  env: { MAX_UPLOAD_BYTES: '8MiB', MAX_REPORT_BYTES: '16MiB', WORKER_THREADS: '1', LOG_LEVEL: 'error' },
  memory: 1_024 * 2 ** 20,
};
