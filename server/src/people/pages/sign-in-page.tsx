import type { VNode } from 'preact';
import { printable } from '../../core/printable.ts';
import { asStarted } from '../../platform/sentences.ts';
import { Csrf, Notice } from '../../platform/web/form-parts.tsx';
import { renderPage } from '../../platform/web/frame.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';

export interface ShownSignIn {
  /** Git hosts and OpenID providers. */
  readonly providers: readonly { readonly key: string; readonly name: string }[];
  readonly takesPasswords: boolean;
  /** The page to go to afterward, below BASE_URL. */
  readonly returnTo: string;
  /** What was typed, and why it did not do. */
  readonly name?: string;
  readonly problem?: string;
}

/** Where people sign in. */
export function renderSignInPage(shown: ShownSignIn, page: PageContext): Iterable<string> {
  const { providers, takesPasswords, returnTo, problem } = shown;
  const [first, ...others] = providers;
  return renderPage(page, { title: 'Sign in' }, [
    <div class="narrow">
      <h1>Sign in</h1>
      <p class="quiet">After you sign in, you see the repos that you can read.</p>
      {problem !== undefined && <Notice kind="bad" text={problem} />}
      {first && (
        <p class="signin">
          <ProviderLink provider={first} shown={shown} page={page} kind="btn primary" />
        </p>
      )}
      {others.map((provider) => (
        <p class="signin">
          <ProviderLink provider={provider} shown={shown} page={page} kind="btn" />
        </p>
      ))}
      {first && takesPasswords && <p class="or">or</p>}
      {takesPasswords && <PasswordForm shown={shown} page={page} />}
      {!first && !takesPasswords && <p class="empty">Sign-in isn’t set up on this server yet.</p>}
      <p class="quiet small after2">
        Public repos can be read without signing in.
        {returnTo !== '/' && (
          <>
            {' '}
            After that, you return to <code>{printable(returnTo, 80)}</code>.
          </>
        )}
      </p>
    </div>,
  ]);
}

/** Where a sign-in link leads: nobody is signed in by opening it. */
export function renderSignInLinkPage(
  { code, returnTo }: { readonly code: string; readonly returnTo: string },
  page: PageContext,
): Iterable<string> {
  return renderPage(page, { title: 'Sign in' }, [
    <div class="narrow">
      <h1>Sign in</h1>
      <p class="quiet">This link signs you in once. Open it in the browser in which you want to sign in.</p>
      <form method="post" action={page.links.signInByLink()} class="stack">
        <Csrf page={page} />
        <input type="hidden" name="code" value={code} />
        <input type="hidden" name="next" value={returnTo} />
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
    </div>,
  ]);
}

interface FormOf {
  readonly shown: ShownSignIn;
  readonly page: PageContext;
}

function ProviderLink(props: FormOf & { readonly provider: ShownSignIn['providers'][number]; readonly kind: string }) {
  const { provider, shown, page, kind } = props;
  return (
    <a class={kind} href={page.links.signInWith(provider.key, shown.returnTo)}>
      Continue with {provider.name}
    </a>
  );
}

function PasswordForm({ shown, page }: FormOf): VNode {
  return (
    <form method="post" action={page.links.signIn()} class="stack">
      <Csrf page={page} />
      <input type="hidden" name="next" value={shown.returnTo} />
      <div class="field">
        <label for="name">User name</label>
        <input
          id="name"
          name="name"
          autocomplete="username"
          autocapitalize="none"
          required
          value={printable(shown.name ?? '', 100)}
        />
      </div>
      <div class="field">
        <label for="password">Password</label>
        <input id="password" type="password" name="password" autocomplete="current-password" required />
        <span class="help">
          The first administrator is created with <code>{asStarted('npm run user -- create')}</code>.
        </span>
      </div>
      <button type="submit" class={shown.providers.length === 0 ? 'primary' : ''}>
        Sign in
      </button>
    </form>
  );
}
