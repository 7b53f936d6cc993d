import type { Middleware } from 'koa';
import { Failure } from '../../core/failure.ts';
import type { SecretTexts } from '../../core/secret-texts.ts';
import type { AppState } from '../../platform/http/app-state.ts';
import { holdsSecret } from '../../platform/http/page-of.ts';
import { wantsPage } from '../../platform/http/wants-page.ts';
import { isRepoPage } from './clean-addresses.ts';

/**
 * Leads a stranger from a page that is not there for them to the sign-in, and back from there, whether there is such a
 * page or not; tells somebody who is signed in that it is not there for them. What is not there in a repo that they may
 * read is a plain 404.
 */
export function inviteToSignIn(deps: {
  readonly basePath: string;
  readonly secretTexts: Pick<SecretTexts, 'hide'>;
}): Middleware<AppState> {
  const { basePath, secretTexts } = deps;
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const isHidden =
        error instanceof Failure &&
        error.code === 'not-found' &&
        error.repo === undefined &&
        isRepoPage(ctx) &&
        wantsPage(ctx);
      const here = `${ctx.path}${ctx.search}`;
      if (!isHidden || ctx.get('Authorization') !== '' || holdsSecret(here, secretTexts)) throw error;
      const { person } = ctx.state.visitor ?? {};
      if (person !== undefined)
        throw new Failure(
          'not-found',
          `This page does not exist for ${person.account.name}, or you don’t have access to it. ` +
            'If a colleague can see it, ask a maintainer of the repo for access.',
        );
      ctx.redirect(`${basePath}/sign-in?${new URLSearchParams({ next: here })}`);
    }
  };
}
