import { randomBytes } from 'node:crypto';

/** Scheme, credentials and hosts; the database; the options. `URL` cannot read it: a replica set has several hosts. */
const PARTS = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/;

/** A name that no other test has, below the 38 bytes that some hosted servers allow. */
export function randomDatabaseName(): string {
  return `coverage_test_${randomBytes(8).toString('hex')}`;
}

/**
 * The deployment's URL with another database in it, the options kept. Credentials are looked up in the URL's database
 * unless authSource says otherwise, so the former one (or `admin`) is named then.
 */
export function databaseUrl(deployment: string, name: string = randomDatabaseName()): string {
  const parts = PARTS.exec(deployment);
  // The value is not quoted: it may hold a password.
  if (!parts) throw new Error('A MongoDB URL is expected: mongodb://host:port/?options');
  const [, authority = '', former, text = ''] = parts;
  const options = text === '' ? [] : text.split('&');
  const named = options.some((option) => /^(authSource|authMechanism)=/i.test(option));
  if (authority.includes('@') && !named) options.push(`authSource=${former || 'admin'}`);
  return `${authority}/${encodeURIComponent(name)}${options.length > 0 ? `?${options.join('&')}` : ''}`;
}
