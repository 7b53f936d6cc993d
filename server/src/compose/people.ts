import { createAskHost } from '../access/ask-host.ts';
import { createAuditSignIns } from '../access/audit-sign-ins.ts';
import { authenticate } from '../access/browser/authenticate.ts';
import { createCurrentGroups } from '../access/current-groups.ts';
import { createIdentifyCaller } from '../access/identify-caller.ts';
import { createResolveAccess } from '../access/resolve-access.ts';
import { createSessions } from '../access/sessions.ts';
import { createKeepRepoToken, createOpenShare, createShareLinks } from '../access/share-links.ts';
import { LOCAL_ISSUER } from '../core/repo/account.ts';
import { type AppSetupRoutesDeps, registerAppSetupRoutes } from '../operations/http/app-setup-routes.ts';
import { renderAppMadePage, renderAppSetupPage, renderSendFormPage } from '../operations/pages/app-setup-page.tsx';
import { createSetUpApp, type SetUpAppDeps } from '../operations/set-up-app.ts';
import { createAccountTokens } from '../people/account-tokens.ts';
import { createChangePassword } from '../people/change-password.ts';
import { registerAccountRoutes } from '../people/http/account-routes.ts';
import { registerMemberRoutes } from '../people/http/members-routes.ts';
import { registerShareLinkRoutes } from '../people/http/share-links-routes.ts';
import { registerSharingForms } from '../people/http/sharing-forms.ts';
import { registerSignInRoutes, type SignInDeps } from '../people/http/sign-in-routes.ts';
import { registerUserRoutes } from '../people/http/users-routes.ts';
import { createKnownDevices } from '../people/known-devices.ts';
import { createLimitAttempts } from '../people/limit-attempts.ts';
import { createFindAccounts, createManageAccounts, type FindAccounts } from '../people/manage-accounts.ts';
import { createMembers } from '../people/members.ts';
import { createOpenIdProvider } from '../people/openid/openid-provider.ts';
import { renderAccountPage } from '../people/pages/account-page.tsx';
import { renderMadeLinkPage, renderSharingPage } from '../people/pages/sharing-forms.tsx';
import { renderSignInLinkPage, renderSignInPage } from '../people/pages/sign-in-page.tsx';
import { renderUsersPage } from '../people/pages/users-page.tsx';
import { createSignInElsewhere } from '../people/sign-in-elsewhere.ts';
import { createSignInLocally, type SignInLocallyDeps } from '../people/sign-in-locally.ts';
import { createTakeSignInCode } from '../people/take-sign-in-code.ts';
import type { Clock } from '../platform/clock.ts';
import { networkOf } from '../platform/http/client-address.ts';
import { createCookies } from '../platform/http/cookies.ts';
import type { PageOf } from '../platform/http/page-of.ts';
import type { RegisterRoutes } from '../platform/http/router.ts';
import { sealHostApp } from '../platform/secrets/host-apps.ts';
import { createAddresses } from '../platform/web/addresses.ts';
import type { ResolveAccess } from '../ports/access.ts';
import type { Hosts } from '../ports/host.ts';
import type { AppDeps } from './app.ts';
import { createUseApp } from './host-apps.ts';
import { identifyingOf } from './readers.ts';
import type { Parts, ServerServices } from './services.ts';

/** What callers may do in a repo beside what they bring. */
export function composeAccess(
  { config, store, secrets }: Pick<Parts, 'config' | 'store' | 'secrets'>,
  { clock, hosts }: { readonly clock: Clock; readonly hosts: Hosts },
): ResolveAccess {
  const { accounts, members } = store;
  const askHost = createAskHost({ accounts, hosts, secrets, clock });
  return createResolveAccess({ members, groupRoles: config.groupRoles, askHost });
}

/** The OpenID provider, and the groups that it names. */
export function composeGroups(
  { config, store, secrets, timers, logger }: Parts,
  { clock, fetch }: Pick<ServerServices, 'clock' | 'fetch'>,
): Pick<ServerServices, 'openId' | 'groups'> {
  const { adminGroup, groupRoles, groupsMaxAge: maxAge } = config;
  const openId = config.openId && createOpenIdProvider(config.openId, { fetch });
  const groupsWithRights = [adminGroup ?? [], groupRoles].flat().map(({ group }) => group);
  const { accounts } = store;
  const deps = { accounts, openId, maxAge, groupsWithRights, secrets, clock, timers, logger };
  return { openId, groups: createCurrentGroups(deps) };
}

export interface People {
  readonly visitors: NonNullable<AppDeps['visitors']>;
  readonly routes: readonly RegisterRoutes[];
}

/** Who browsers are, and the pages where people sign in and see to their accounts. */
export function composePeople(services: ServerServices): People {
  const { config, store, secrets, clock, timers, hosts, baseUrl, passwords, openId, groups, basePath, pageOf } =
    services;
  const { accounts, tokens, shares, repos } = store;
  const { adminGroup } = config;
  const cookies = createCookies(baseUrl);
  const auditSignIns = createAuditSignIns({ audit: store.audit, clock, networkOf });
  const ofStore = { accounts, sessions: store.sessions };
  const sessions = createSessions({ ...ofStore, secrets, clock, auditSignIns, adminGroup, groups });
  const limitAttempts = createLimitAttempts({ timers, networkOf });
  const knownDevices = createKnownDevices({ secrets, clock });
  const nameIssuer = (issuer: string): string => {
    if (issuer === LOCAL_ISSUER) return 'here';
    if (issuer === openId?.issuer) return openId.name;
    return hosts.all.find(({ signIn }) => signIn?.issuer === issuer)?.signIn?.name ?? issuer;
  };
  const shown = { pageOf, basePath, baseUrl };
  const visits = { cookies, sessions, hash: secrets.hash, baseUrl };
  const opening = { shares, repos, secrets, clock };
  const openShare = createOpenShare(opening);
  const findAccounts = createFindAccounts(store);
  return {
    visitors: { ...visits, openShare, keepRepoToken: createKeepRepoToken(opening), basePath },
    routes: [
      ...composeSharing(services, findAccounts, shown),
      (router) =>
        registerSignInRoutes(router, {
          ...visits,
          ...shown,
          ...composeSignIn(services, { limitAttempts, knownDevices, auditSignIns }),
          knownDevices,
          newRandom: secrets.newRandom,
          renderSignInPage,
          renderSignInLinkPage,
        }),
      (router) =>
        registerAccountRoutes(router, {
          ...shown,
          cookies,
          knownDevices,
          sessions,
          groups,
          accountTokens: createAccountTokens({ tokens, secrets, clock }),
          changePassword: createChangePassword({ ...ofStore, passwords, limitAttempts, clock }),
          nameIssuer,
          renderAccountPage,
        }),
      (router) => registerAppSetupRoutes(router, composeAppSetup(services, { ...visits, ...shown })),
      (router) =>
        registerUserRoutes(router, {
          ...shown,
          findAccounts,
          manageAccounts: createManageAccounts({ ...store, passwords, secrets, clock }),
          nameIssuer,
          renderUsersPage,
        }),
    ],
  };
}

/** With a password, elsewhere, or by a link. */
function composeSignIn(
  { config, store, secrets, clock, hosts, baseUrl, passwords, openId, groups }: ServerServices,
  parts: Pick<SignInLocallyDeps, 'limitAttempts' | 'knownDevices' | 'auditSignIns'>,
): Pick<SignInDeps, 'signInLocally' | 'signInElsewhere' | 'takeSignInCode'> {
  const { auditSignIns } = parts;
  const of = { accounts: store.accounts, secrets, clock, auditSignIns };
  const listProviders = () => [...hosts.all.flatMap(({ signIn }) => signIn ?? []), ...[openId ?? []].flat()];
  const redirectUri = (key: string): string => `${baseUrl()}/sign-in/${key}/callback`;
  return {
    signInLocally: config.localAccounts ? createSignInLocally({ ...of, ...parts, passwords, networkOf }) : undefined,
    signInElsewhere: createSignInElsewhere({ ...of, listProviders, groups, redirectUri, networkOf }),
    takeSignInCode: createTakeSignInCode(of),
  };
}

function composeAppSetup(
  services: ServerServices,
  shown: Pick<AppSetupRoutesDeps, 'cookies' | 'hash' | 'baseUrl' | 'pageOf'>,
): AppSetupRoutesDeps {
  const { store, secrets, hosts, clock, baseUrl } = services;
  const { hostApps } = store;
  const seal: SetUpAppDeps['seal'] = (app, as) => sealHostApp(app, { secrets, ...as });
  const onMade = createUseApp(services);
  return {
    ...shown,
    newRandom: secrets.newRandom,
    setUpApp: createSetUpApp({ hosts, hostApps, secrets, seal, clock, baseUrl, onMade }),
    identifyCaller: createIdentifyCaller(identifyingOf(services)),
    renderAppSetupPage,
    renderSendFormPage,
    renderAppMadePage,
  };
}

/** Who else reads a repo, by its maintainers' word. */
function composeSharing(
  services: ServerServices,
  { find: findAccount }: FindAccounts,
  shown: { readonly pageOf: PageOf; readonly basePath: string; readonly baseUrl: () => string },
): readonly RegisterRoutes[] {
  const { store, secrets, clock, resolveAccess, baseUrl } = services;
  const identifyCaller = authenticate(createIdentifyCaller(identifyingOf(services)));
  const deps = { ...store, secrets, clock, resolveAccess };
  const shareLinks = createShareLinks(deps);
  const members = createMembers({ ...deps, findAccount });
  const addresses = createAddresses(baseUrl);
  const forms = { ...shown, shareLinks, members, addresses, renderMadeLinkPage, renderSharingPage };
  return [
    (router) => registerShareLinkRoutes(router, { identifyCaller, shareLinks, addresses }),
    (router) => registerMemberRoutes(router, { identifyCaller, members }),
    (router) => registerSharingForms(router, forms),
  ];
}
