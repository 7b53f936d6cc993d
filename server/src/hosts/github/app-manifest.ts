import { Failure, quoteValue } from '../../core/failure.ts';
import type { Logger } from '../../platform/logger.ts';
import type { HostApp, HostAppSetup } from '../../ports/host-apps.ts';
import { idOf, textOf } from '../answers.ts';
import { createBoundedCalls } from './bounded-calls.ts';
import * as say from './messages.ts';
import { createPassingClient } from './octokit-client.ts';
import { OPERATIONS } from './operations.ts';
import { type Fields, request } from './requests.ts';
import { EVENTS, PERMISSIONS } from './rights.ts';
import { BY_TOKEN } from './sign-in.ts';
import type { TokenViewDeps } from './token-view.ts';

const TIME_LIMIT = 10_000;
/** Characters that GitHub takes. */
const MAX_NAME = 34;

export interface AppSetupDeps extends TokenViewDeps {
  /** The host's address for people. */
  readonly web: string;
  readonly configured: readonly string[];
  readonly inUse: HostApp | undefined;
}

/** GitHub's manifest flow (docs.github.com, "Registering a GitHub App from a manifest"). */
export function createAppSetup(deps: AppSetupDeps): HostAppSetup {
  const { web, configured, inUse } = deps;
  return {
    configured,
    inUse,
    permissions: PERMISSIONS,
    form({ baseUrl, owner, state }) {
      if (!/^(?:[A-Za-z0-9][\w-]{0,38})?$/.test(owner))
        throw new Failure('payload-invalid', say.organizationWrong(quoteValue(owner)), { field: 'owner' });
      const place = owner === '' ? '' : `/organizations/${owner}`;
      const action = `${web}${place}/settings/apps/new?${new URLSearchParams({ state })}`;
      return { action, fields: { manifest: JSON.stringify(manifestOf(baseUrl)) } };
    },
    exchange: (code) => exchange(deps, code),
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
function exchange({ web, apiUrl, fetch, clock, timers }: AppSetupDeps, code: string): Promise<HostApp> {
  const client = createPassingClient({ apiUrl, token: undefined, logger: SILENT });
  const redact = (text: string): string => text.replaceAll(code, '[code]');
  const calls = createBoundedCalls({ client, fetch, clock, timers, signIn: BY_TOKEN, redact, timeLimit: TIME_LIMIT });
  return calls((call) =>
    request(call, OPERATIONS.makeApp, {
      send: (rest, options) => rest.apps.createFromManifest({ code, request: options }),
      read: (made) => toApp(made, web),
    }),
  );
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
