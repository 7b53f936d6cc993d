import { readFile } from 'node:fs/promises';
import * as say from '../messages/network.ts';
import { ActionFailure } from '../runner/failure.ts';

/** From now on the authorities of a file (PEM) are trusted too. Throws `bad-input`. */
export async function trustAuthorities(path: string): Promise<void> {
  // Loading it takes time that most steps need not spend.
  const tls = await import('node:tls');
  // Older releases of Node 24 have no such function.
  if (tls.setDefaultCACertificates === undefined)
    throw new ActionFailure(
      'bad-input',
      'Input ca-file needs a runner with Node 24.5 or newer; update the runner, or set NODE_EXTRA_CA_CERTS on it.',
    );
  try {
    const pem = await readFile(path, 'utf8');
    // Node takes a text without any for an empty list.
    if (!/-----BEGIN CERTIFICATE-----/.test(pem)) throw new Error(say.NO_CERTIFICATE);
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), pem]);
  } catch (error) {
    throw new ActionFailure(
      'bad-input',
      say.caFileUnusable(path, error instanceof Error ? error.message : String(error)),
    );
  }
}
