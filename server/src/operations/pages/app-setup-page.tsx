import type { VNode } from 'preact';
import { printable } from '../../core/printable.ts';
import { Csrf, Notice } from '../../platform/web/form-parts.tsx';
import { renderPage } from '../../platform/web/frame.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import type { BegunAppSetup, MadeApp, ShownAppSetup } from '../set-up-app.ts';

/** Where the App is made by which this server signs in at a git host. `shown`: undefined for all but administrators. */
export function renderAppSetupPage(shown: ShownAppSetup | undefined, page: PageContext): Iterable<string> {
  const isConfigured = (shown?.configured.length ?? 0) > 0;
  return renderPage(page, { title: 'Set up the App' }, [
    <div class="narrow">
      <h1>Set up the App</h1>
      <p class="quiet">
        This server posts statuses and comments as its own App. Its key and secrets go from the git host straight into
        this server’s database, encrypted.
      </p>
      {shown?.inUse && <InUse app={shown.inUse} />}
      {shown !== undefined && isConfigured ? (
        <p class="empty">
          This server signs in to {shown.hostName} with <code>{shown.configured.join(', ')}</code> from its environment,
          so no App is created here.
        </p>
      ) : (
        <SetupForm shown={shown} page={page} />
      )}
    </div>,
  ]);
}

function InUse({ app }: { readonly app: MadeApp }): VNode {
  return (
    <>
      <Notice kind="good" text={`${app.name} is in use.`} />
      <p>
        <a class="btn" href={app.installAddress}>
          Install it
        </a>
      </p>
      <h2>Replace it</h2>
    </>
  );
}

function SetupForm(props: { readonly shown: ShownAppSetup | undefined; readonly page: PageContext }): VNode {
  const { shown, page } = props;
  return (
    <form method="post" action={page.links.setup()} class="stack">
      <Csrf page={page} />
      {shown === undefined && (
        <div class="field">
          <label for="token">Administrator’s token</label>
          <input id="token" type="password" name="token" autocomplete="off" required />
          <span class="help">
            What <code>ADMIN_TOKEN</code> holds, unless you are signed in as an administrator.
          </span>
        </div>
      )}
      <div class="field">
        <label for="owner">Organization</label>
        <input id="owner" name="owner" autocapitalize="none" maxlength={39} />
        <span class="help">The organization that owns the App. Leave it empty for your own account.</span>
      </div>
      {(shown === undefined || shown.isMade) && (
        <label class="choice">
          <input type="checkbox" name="replace" value="yes" required={shown?.isMade === true} />{' '}
          <span>Replace the existing App</span>
        </label>
      )}
      <button type="submit" class="primary">
        Continue
      </button>
    </form>
  );
}

export interface SendFormPage extends Pick<ShownAppSetup, 'hostName' | 'permissions'> {
  readonly form: BegunAppSetup['form'];
}

/** What is sent to the git host, by a click. */
export function renderSendFormPage({ hostName, permissions, form }: SendFormPage, page: PageContext): Iterable<string> {
  return renderPage(page, { title: 'Set up the App' }, [
    <div class="narrow">
      <h1>Create the App at {hostName}</h1>
      <p>{hostName} asks for its name and shows its permissions, no more than these:</p>
      <ul class="dots">
        {Object.entries(permissions).map(([name, access]) => (
          <li>
            <code>{name}</code>: {access}
          </li>
        ))}
      </ul>
      <form method="post" action={form.action} class="stack">
        {Object.entries(form.fields).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button type="submit" class="primary">
          Go to {hostName}
        </button>
      </form>
      <p class="quiet small">
        It sends webhooks to <code>{page.site.origin}</code>, so it must be able to reach this URL.
      </p>
    </div>,
  ]);
}

/** After the way back. */
export function renderAppMadePage(
  { name, hostName, installAddress }: MadeApp & { readonly hostName: string },
  page: PageContext,
): Iterable<string> {
  return renderPage(page, { title: 'Set up the App' }, [
    <div class="narrow">
      <h1>{printable(name, 100)} is made</h1>
      <p>From now on, this server signs in to {hostName} as this App. It sees the repos where it is installed.</p>
      <p>
        <a class="btn primary" href={installAddress}>
          Install it
        </a>
      </p>
    </div>,
  ]);
}
