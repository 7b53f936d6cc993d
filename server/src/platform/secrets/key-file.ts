import { createSecretKey, type KeyObject } from 'node:crypto';
import { link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { counted } from '../../core/sentences.ts';
import type { RandomBytes } from './random-token.ts';
import { KEY_BYTES, KEY_FORM, parseSecretKey } from './secret-key.ts';

export interface KeyFile {
  readonly key: KeyObject;
  /** Whether this call made it. */
  readonly created: boolean;
  /** A sentence when others may read the file. */
  readonly warning: string | undefined;
}

/**
 * The key in the file, made at first use: for a server without SECRET_KEY. Two processes that start at once get
 * the same key. Throws an Error that says what to do when the file is not one key.
 */
export async function loadOrCreateKeyFile(path: string, deps: { readonly randomBytes: RandomBytes }): Promise<KeyFile> {
  const found = await readKeyFile(path);
  if (found !== undefined) return { ...found, created: false };
  const created = await createKeyFile(path, deps.randomBytes);
  const made = await readKeyFile(path);
  if (made === undefined) throw new Error(`The key file ${path} vanished while it was being created; start again.`);
  return { ...made, created };
}

async function readKeyFile(path: string): Promise<Omit<KeyFile, 'created'> | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'latin1');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new Error(
      `The key file ${path} cannot be read (${String(errorCode(error))}); ` +
        'give it back to the user that runs the server.',
      { cause: error },
    );
  }
  const key = parseSecretKey(text.trim());
  if (key === undefined) {
    throw new Error(
      `The key file ${path} does not contain one key: it has ${counted(text.length, 'byte')} and should have ` +
        `${KEY_FORM}. Put the backup back, or set SECRET_KEY; with another key, stored repo tokens cannot be ` +
        'decrypted.',
    );
  }
  const mode = (await stat(path)).mode & 0o777;
  const warning =
    (mode & 0o077) === 0
      ? undefined
      : `The key file ${path} may be read by others (mode ${mode.toString(8)}); run: chmod 600 ${path}`;
  return { key, warning };
}

/**
 * Written whole under another name, synced, then linked: no reader ever sees half a key, and an existing file is never
 * replaced.
 */
async function createKeyFile(path: string, randomBytes: RandomBytes): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${Buffer.from(randomBytes(6)).toString('hex')}.new`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${Buffer.from(randomBytes(KEY_BYTES)).toString('hex')}\n`);
    await file.sync();
    await link(draft, path);
    await syncDirectory(dirname(path));
    return true;
  } catch (error) {
    // Another process was faster: its key counts.
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await file.close();
    await unlink(draft);
  }
}

/** Without it a power cut may take back the new name, and with it the key of tokens that are already stored. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** A key that lives as long as this process: for a store that does too. */
export function passingKey(randomBytes: RandomBytes): KeyObject {
  return createSecretKey(randomBytes(KEY_BYTES));
}
