import { readFile } from 'node:fs/promises';
import { ActionFailure } from '../runner/failure.ts';

/** The certificates of a file (PEM), as `use` has them. Throws `bad-input`, also for what `use` throws. */
export async function withAuthorities<T>(path: string, use: (pem: string) => T): Promise<T> {
  try {
    const pem = await readFile(path, 'utf8');
    // Node takes a text without any for an empty list.
    if (!/-----BEGIN CERTIFICATE-----/.test(pem)) throw new Error('it holds no certificate');
    return use(pem);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ActionFailure('bad-input', `Input ca-file: expected a file of certificates (PEM), got ${path}: ${why}.`);
  }
}

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
  await withAuthorities(path, (pem) => tls.setDefaultCACertificates([...tls.getCACertificates('default'), pem]));
}
