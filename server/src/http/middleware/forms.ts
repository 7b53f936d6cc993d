import type { Context, Middleware } from 'koa';
import { Failure } from '../../domain/failure.ts';
import { smallBodies } from './small-bodies.ts';

/** The fields of a form of our own pages; any that is no text, or missing, is empty. */
export type FormFields = (name: string) => string;

const body = smallBodies();

/**
 * Leaves the fields in `ctx.state.form`. Refuses what another site's page sent, and a form without the token that this
 * browser was given; a credential in a header is never sent by a browser itself.
 */
export function takeForm({ baseUrl }: { readonly baseUrl: () => string }): Middleware {
  return async (ctx, next) => {
    checkOrigin(ctx, baseUrl());
    await body(ctx as never, async () => {});
    const fields = (ctx.request.body ?? {}) as Readonly<Record<string, unknown>>;
    const wanted = ctx.state.csrf as string | undefined;
    if (ctx.get('Authorization') === '' && (wanted === undefined || fields.csrf !== wanted))
      throw new Failure('forbidden', 'This form is out of date. Go back, reload its page, and send it again.');
    ctx.state.form = (name: string) => {
      const value = fields[name];
      return typeof value === 'string' ? value : '';
    };
    return next();
  };
}

export function formOf({ state }: Pick<Context, 'state'>): FormFields {
  const form = state.form as FormFields | undefined;
  if (form === undefined) throw new Error('no form was taken');
  return form;
}

function checkOrigin(ctx: Context, baseUrl: string): void {
  const site = ctx.get('Sec-Fetch-Site');
  const origin = ctx.get('Origin');
  const isOwn = ['', 'null', new URL(baseUrl).origin].includes(origin);
  if (site === '' ? isOwn : site === 'same-origin' || site === 'none') return;
  throw new Failure('forbidden', 'This was sent by a page of another site. Nothing was changed; use the page here.');
}
