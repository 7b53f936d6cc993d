import { verify } from 'node:crypto';
import { failure, Refusal } from './answer.ts';
import type { AppRecord } from './apps.ts';
import type { World } from './model.ts';

/** GitHub takes JWTs that end within this many seconds. */
const LONGEST = 600;

/** Whether a credential has the form of a JWT. */
export const isJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);

/** The App that signed a JWT, checked as GitHub does and refused in its words. */
export function appOfJwt(world: World, jwt: string): AppRecord {
  const [head = '', claims = '', signature = ''] = jwt.split('.');
  const { alg } = decode(head);
  const { iss, iat, exp } = decode(claims);
  const app = world.apps.apps.get(Number(iss));
  if (!app) throw new Refusal(failure(404, 'Integration not found'));
  const signed = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claims}`),
    app.publicKey,
    Buffer.from(signature, 'base64url'),
  );
  if (alg !== 'RS256' || !signed) throw new Refusal(failure(401, 'A JSON web token could not be decoded'));
  checkTimes({ iat, exp }, Math.floor(world.now() / 1_000));
  return app;
}

function checkTimes({ iat, exp }: { readonly iat: unknown; readonly exp: unknown }, now: number): void {
  const refuse = (message: string): never => {
    throw new Refusal(failure(401, message));
  };
  if (!Number.isInteger(iat) || Number(iat) > now) {
    refuse("'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued");
  }
  if (!Number.isInteger(exp) || Number(exp) <= now) {
    const numeric = 'must be a numeric value representing the future time at which the assertion expires';
    refuse(`'Expiration time' claim ('exp') ${numeric}`);
  }
  if (Number(exp) > now + LONGEST) refuse("'Expiration time' claim ('exp') is too far in the future");
}

function decode(part: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Readonly<Record<string, unknown>>;
  } catch {
    throw new Refusal(failure(401, 'A JSON web token could not be decoded'));
  }
}
