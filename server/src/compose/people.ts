import { LOCAL_ISSUER } from '../domain/repo/account.ts';
import type { AppDeps } from '../http/app.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { networkOf } from '../http/middleware/client-address.ts';
import { createCookies } from '../http/middleware/cookies.ts';
import { createAddresses } from '../http/presenters/addresses.ts';
import type { PageOf } from '../http/presenters/page-of.ts';
import type { RegisterRoutes } from '../http/router.ts';
import { registerAccountRoutes } from '../http/routes/account.ts';
import { type AppSetupRoutesDeps, registerAppSetupRoutes } from '../http/routes/app-setup.ts';
import { registerMemberRoutes } from '../http/routes/members.ts';
import { registerShareLinkRoutes } from '../http/routes/share-links.ts';
import { registerSharingForms } from '../http/routes/sharing-forms.ts';
import { registerSignInRoutes } from '../http/routes/sign-in.ts';
import { registerUserRoutes } from '../http/routes/users.ts';
import { createOpenIdProvider } from '../openid/openid-provider.ts';
import type { Clock } from '../ports/clock.ts';
import type { Hosts } from '../ports/host.ts';
import { sealHostApp } from '../secrets/host-apps.ts';
import { createAskHost } from '../use-cases/access/ask-host.ts';
import { createIdentifyCaller } from '../use-cases/access/identify-caller.ts';
import { createKnowAccess, type KnowAccess } from '../use-cases/access/know-access.ts';
import { createSetUpApp, type SetUpAppDeps } from '../use-cases/access/set-up-app.ts';
import { createAuditSignIns } from '../use-cases/audit/audit-sign-ins.ts';
import { createAccountTokens } from '../use-cases/people/account-tokens.ts';
import { createChangePassword } from '../use-cases/people/change-password.ts';
import { createCurrentGroups } from '../use-cases/people/current-groups.ts';
import { createKnownDevices } from '../use-cases/people/known-devices.ts';
import { createLimitAttempts } from '../use-cases/people/limit-attempts.ts';
import { createFindAccounts, createManageAccounts, type FindAccounts } from '../use-cases/people/manage-accounts.ts';
import { createMembers } from '../use-cases/people/members.ts';
import { createSessions } from '../use-cases/people/sessions.ts';
import { createKeepRepoToken, createOpenShare, createShareLinks } from '../use-cases/people/share-links.ts';
import { createSignInElsewhere } from '../use-cases/people/sign-in-elsewhere.ts';
import { createSignInLocally } from '../use-cases/people/sign-in-locally.ts';
import { createTakeSignInCode } from '../use-cases/people/take-sign-in-code.ts';
import { renderAccountPage } from '../web/account-page.tsx';
import { renderAppMadePage, renderAppSetupPage, renderSendFormPage } from '../web/app-setup-page.tsx';
import { renderMadeLinkPage, renderSharingPage } from '../web/sharing-forms.tsx';
import { renderSignInLinkPage, renderSignInPage } from '../web/sign-in-page.tsx';
import { renderUsersPage } from '../web/users-page.tsx';
import { createUseApp } from './host-apps.ts';
import { identifyingOf } from './readers.ts';
import type { Parts, Services } from './services.ts';

/** What callers may do in a repo beside what they bring. */
export function composeAccess(
  { config, store, secrets }: Pick<Parts, 'config' | 'store' | 'secrets'>,
  { clock, hosts }: { readonly clock: Clock; readonly hosts: Hosts },
): KnowAccess {
  const { accounts, members } = store;
  const askHost = createAskHost({ accounts, hosts, secrets, clock });
  return createKnowAccess({ members, groupRoles: config.groupRoles, askHost });
}

/** The OpenID provider, and the groups that it names. */
export function composeGroups(
  { config, store, secrets, timers, logger }: Parts,
  { clock, fetch }: Pick<Services, 'clock' | 'fetch'>,
): Pick<Services, 'openId' | 'groups'> {
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
export function composePeople(services: Services, basePath: string, pageOf: PageOf): People {
  const { config, store, secrets, clock, timers, hosts, baseUrl, passwords, openId, groups } = services;
  const { accounts, tokens, shares, repos } = store;
  const { adminGroup } = config;
  const cookies = createCookies(baseUrl);
  const auditSignIns = createAuditSignIns({ audit: store.audit, clock, networkOf });
  const ofStore = { accounts, sessions: store.sessions };
  const sessions = createSessions({ ...ofStore, secrets, clock, auditSignIns, adminGroup, groups });
  const limitAttempts = createLimitAttempts({ timers, networkOf });
  const knownDevices = createKnownDevices({ secrets, clock });
  const listProviders = () => [...hosts.all.flatMap(({ signIn }) => signIn ?? []), ...[openId ?? []].flat()];
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
  const redirectUri = (key: string): string => `${baseUrl()}/sign-in/${key}/callback`;
  return {
    visitors: { ...visits, openShare, keepRepoToken: createKeepRepoToken(opening), basePath },
    routes: [
      ...composeSharing(services, findAccounts, shown),
      (router) =>
        registerSignInRoutes(router, {
          ...visits,
          ...shown,
          signInLocally: config.localAccounts
            ? createSignInLocally({ accounts, passwords, limitAttempts, knownDevices, networkOf, auditSignIns })
            : undefined,
          signInElsewhere: createSignInElsewhere({
            accounts,
            listProviders,
            secrets,
            clock,
            auditSignIns,
            groups,
            redirectUri,
          }),
          knownDevices,
          takeSignInCode: createTakeSignInCode({ accounts, secrets, clock, auditSignIns }),
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

function composeAppSetup(
  services: Services,
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
  services: Services,
  { find: findAccount }: FindAccounts,
  shown: { readonly pageOf: PageOf; readonly basePath: string; readonly baseUrl: () => string },
): readonly RegisterRoutes[] {
  const { store, secrets, clock, knowAccess, baseUrl } = services;
  const identifyCaller = authenticate(createIdentifyCaller(identifyingOf(services)));
  const deps = { ...store, secrets, clock, knowAccess };
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
