import { Failure, quoteValue } from '../../core/failure.ts';
import type { Logger } from '../../platform/logger.ts';
import type { HostApp, HostAppSetup } from '../../ports/host-apps.ts';
import { type Fields, idOf, textOf } from '../answers.ts';
import { type GithubConnection, openPassingCalls } from './calls.ts';
import * as say from './messages.ts';
import { OPERATIONS } from './operations.ts';
import { askOnce } from './requests.ts';
import { EVENTS, PERMISSIONS } from './rights.ts';

const TIME_LIMIT = 10_000;
/** Characters that GitHub takes. */
const MAX_NAME = 34;

/**
 * GitHub's manifest flow (docs.github.com, "Registering a GitHub App from a manifest"). `web`: the host's address for
 * people.
 */
export function createAppSetup(
  connection: GithubConnection,
  web: string,
  known: Pick<HostAppSetup, 'configured' | 'inUse'>,
): HostAppSetup {
  return {
    ...known,
    permissions: PERMISSIONS,
    form({ baseUrl, owner, state }) {
      if (!/^(?:[A-Za-z0-9][\w-]{0,38})?$/.test(owner))
        throw new Failure('payload-invalid', say.organizationWrong(quoteValue(owner)), { field: 'owner' });
      const place = owner === '' ? '' : `/organizations/${owner}`;
      const action = `${web}${place}/settings/apps/new?${new URLSearchParams({ state })}`;
      return { action, fields: { manifest: JSON.stringify(manifestOf(baseUrl)) } };
    },
    exchange: (code) => exchange(connection, web, code),
    installAddress: ({ page }) => `${page}/installations/new`,
  };
}

function manifestOf(baseUrl: string) {
  return {
    name: `Coverage ${new URL(baseUrl).hostname}`.slice(0, MAX_NAME).trim(),
    url: baseUrl,
    hook_attributes: { url: `${baseUrl}/hooks/github`, active: true },
    redirect_url: `${baseUrl}/setup/callback`,
    callback_urls: [`${baseUrl}/sign-in/github/callback`],
    public: false,
    default_permissions: PERMISSIONS,
    default_events: EVENTS,
  };
}

const nothing = (): void => {};
/** Octokit names the address of each call, and here it holds the code. */
const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The code alone is what GitHub wants to see. What it answers holds the App's secrets, so no failure repeats it. */
function exchange(connection: GithubConnection, web: string, code: string): Promise<HostApp> {
  const redact = (text: string): string => text.replaceAll(code, '[code]');
  const silent = { ...connection, logger: SILENT };
  const calls = openPassingCalls(silent, { token: undefined, timeLimit: TIME_LIMIT, redact });
  return askOnce(calls, OPERATIONS.makeApp, {
    send: (rest, options) => rest.apps.createFromManifest({ code, request: options }),
    read: (made) => toApp(made, web),
  });
}

function toApp(made: Fields, web: string): HostApp | undefined {
  const texts = {
    name: textOf(made.name),
    page: textOf(made.html_url),
    privateKey: textOf(made.pem),
    webhookSecret: textOf(made.webhook_secret),
    clientId: textOf(made.client_id),
    clientSecret: textOf(made.client_secret),
  };
  const id = idOf(made.id);
  if (id === undefined || !isWhole(texts) || !/^https?:\/\//.test(texts.page)) return undefined;
  return { service: 'github', host: web, id, ...texts };
}

function isWhole<Name extends string>(texts: Record<Name, string | undefined>): texts is Record<Name, string> {
  return Object.values(texts).every((text) => text !== undefined);
}
