import type { Middleware } from 'koa';
import { Failure } from '../../core/failure.ts';
import type { SecretTexts } from '../../core/secret-texts.ts';
import type { AppState } from './app-state.ts';

/** Fields that are for tokens, or come back from an answer that held one; `t` is a badge's. */
const TOKEN_FIELD = /token$|^(t|share)$/i;
/** Characters of a field's place in an answer. */
const MAX_PLACE = 100;

/**
 * Refuses a query that holds a token where none belongs, and leaves the same check for bodies: such a token would be
 * stored as a build's number or a flag, and shown to anybody who may read that.
 */
export function refuseStrayTokens(deps: { readonly secretTexts: Pick<SecretTexts, 'find'> }): Middleware<AppState> {
  const { secretTexts } = deps;
  return (ctx, next) => {
    ctx.state.refuseTokens = (fields, text) => {
      if (secretTexts.find(text) !== undefined) refuseTokens(fields, secretTexts);
    };
    refuseTokens(ctx.query, secretTexts);
    return next();
  };
}

/** The Failure for a token in the field. */
export function strayToken(field: string, kind: string): Failure {
  const sentence =
    `${field || 'The body'} holds what looks like ${kind}. Nothing was stored. Send tokens only as repo_token or ` +
    'in the Authorization header, and revoke this one if it is real.';
  return new Failure('payload-invalid', sentence, { field });
}

/** Without recursion, since depth is free. Throws a Failure `payload-invalid` that names the first such field. */
function refuseTokens(fields: object, secretTexts: Pick<SecretTexts, 'find'>): void {
  const found: { readonly place: string; readonly holder: object }[] = [{ place: '', holder: fields }];
  for (const { place, holder } of found) {
    const isList = Array.isArray(holder);
    for (const [key, value] of isList ? holder.map((one) => ['', one]) : Object.entries(holder)) {
      const at = (): string => (isList ? place : `${place}${place === '' ? '' : '.'}${key}`).slice(-MAX_PLACE);
      if (typeof value === 'object' && value !== null) found.push({ place: at(), holder: value });
      const kind = typeof value === 'string' ? secretTexts.find(value) : undefined;
      if (kind !== undefined && !TOKEN_FIELD.test(at())) throw strayToken(at(), kind);
    }
  }
}
