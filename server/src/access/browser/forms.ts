import type { Context, Middleware } from 'koa';
import { Failure } from '../../core/failure.ts';
import type { SignedIn } from '../../core/repo/caller.ts';
import type { AppState } from '../../platform/http/app-state.ts';
import { smallBodies } from '../../platform/http/small-bodies.ts';
import type { Services } from '../../services/services.ts';
import { checkOrigin, holdsCsrfToken } from './visitors.ts';

/** The fields of a form of our own pages; any that is no text, or missing, is empty. */
export type FormFields = (name: string) => string;

const body = smallBodies();

/**
 * Leaves the fields in `ctx.state.form`. Refuses what another site's page sent, and a form without the token that this
 * browser was given. `forPrograms`: programs may send it too, by a credential in the Authorization header, which no
 * browser sends by itself.
 */
export function takeForm(
  { baseUrl }: Pick<Services, 'baseUrl'>,
  { forPrograms = false }: { readonly forPrograms?: boolean } = {},
): Middleware<AppState> {
  return async (ctx, next) => {
    checkOrigin(ctx, baseUrl());
    await body(ctx, async () => {});
    const fields = (ctx.request.body ?? {}) as Readonly<Record<string, unknown>>;
    const isProgram = forPrograms && ctx.get('Authorization') !== '';
    if (!isProgram && !holdsCsrfToken(ctx, fields.csrf))
      throw new Failure('forbidden', 'This page is out of date. Go back, reload it and try again.');
    ctx.state.form = (name) => {
      const value = fields[name];
      return typeof value === 'string' ? value : '';
    };
    return next();
  };
}

export function formOf({ state }: Pick<Context, 'state'>): FormFields {
  const { form } = state as AppState;
  if (form === undefined) throw new Error('no form was taken');
  return form;
}

/** Somebody who is signed in in a browser. Throws a Failure `credential-missing` for anybody else. */
export function personOf({ state }: Pick<Context, 'state'>): SignedIn {
  const { visitor } = state as AppState;
  if (visitor?.person !== undefined) return visitor.person;
  throw new Failure('credential-missing', 'Sign in first.');
}

/** To be asked for with GET, whatever was sent before. */
export function leadTo(context: Context, address: string): void {
  context.redirect(address);
  context.status = 303;
}
