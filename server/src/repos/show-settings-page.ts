import { findAdministeredRepo, type RepoRequest } from '../access/find-administered-repo.ts';
import { LOOKED_THROUGH } from '../builds/find-builds.ts';
import { readBuildFile } from '../builds/read-build-rules.ts';
import { findRatchet, ruledBranch } from '../closing/gather-rules.ts';
import { serverStatusNames } from '../core/announce/contexts.ts';
import type { BuildSummary } from '../core/builds/build-summary.ts';
import type { JudgedRules } from '../core/builds/judged-rules.ts';
import { type PreviewedVerdict, previewVerdict } from '../core/builds/preview-verdict.ts';
import { type EffectiveSettings, effectiveSettings } from '../core/repo/effective-settings.ts';
import type { Repo } from '../core/repo/repo.ts';
import { effectiveRules } from '../core/repo/repo-rules.ts';
import type { StatusNames } from '../core/repo/setting.ts';
import type { RepoSettings } from '../core/repo/settings.ts';
import type { TokenUse } from '../core/repo/token-use.ts';
import { annotationsRefusal, useWarnings } from '../core/repo/warnings.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Hosts } from '../ports/host.ts';
import type { Services } from '../services/services.ts';
import { findBranchHead } from '../storage/branch-head.ts';

/** Builds that a preview judges again. */
const PREVIEWED = 20;

export interface SettingsPage {
  readonly repo: Repo;
  /** For the default branch. */
  readonly newest: BuildSummary | undefined;
  readonly effective: EffectiveSettings;
  /** By which the newest build was judged; undefined: there is none, or the repo's own file is not read any more. */
  readonly rules: JudgedRules | undefined;
  /** The repo's token: whole where it is asked for, else its ends; undefined: no key opens it. */
  readonly token: string | undefined;
  readonly badgeToken: string | undefined;
  /** When the repo's token was used last; undefined: never. */
  readonly lastUse: TokenUse | undefined;
  /** What is wrong with how it is used, in sentences. */
  readonly useWarnings: readonly string[];
  /** The names of contexts where the repo states none. */
  readonly ownNames: StatusNames;
  /** Why uncovered lines cannot be marked; undefined: they can. */
  readonly noAnnotations: string | undefined;
  /** The repo's own token of its git host, `lost`: no key opens it; undefined: repos there have none. */
  readonly hostToken:
    | { readonly name: string; readonly credential: string; readonly state: 'none' | 'set' | 'lost' }
    | undefined;
  /** Whether this server can make the webhook at the repo's git host. */
  readonly makesWebhook: boolean;
  /** Builds that nobody is compared with, among the newest. */
  readonly excluded: readonly BuildSummary[];
  /** What the newest builds would have got. */
  readonly preview: readonly { readonly build: BuildSummary; readonly then: PreviewedVerdict }[];
}

/** Everything that anybody who maintains a repo may change. Stores nothing. */
export async function showSettingsPage(
  services: Services,
  asked: RepoRequest & {
    readonly showToken: boolean;
    /** Settings to be tried; undefined: nothing is judged again. */
    readonly tried: Partial<RepoSettings> | undefined;
  },
): Promise<SettingsPage> {
  const { repos, views, secrets, hosts, config, tokenUses, clock } = services;
  const { showToken, tried, ...request } = asked;
  const repo = await findAdministeredRepo(services, request);
  const stored = await repos.readToken(repo.id);
  const token = stored && secrets.unseal(stored.sealed);
  const uses = await tokenUses.ofRepo(repo.id);
  const newestBuilds = { branch: undefined, trust: 'trusted', offset: 0, limit: LOOKED_THROUGH } as const;
  const { builds } = await views.list({ repoId: repo.id, ...newestBuilds });
  const { newest } = await findBranchHead(views, { repo, branch: undefined });
  const judged = newest && repo.settings.configFile !== 'off' ? await views.find(newest.id) : undefined;
  return {
    repo,
    newest,
    effective: effectiveSettings(repo, config),
    rules: judged?.result?.rules,
    token: token === undefined || showToken ? token : `${token.slice(0, 6)} •••••••••••• ${token.slice(-3)}`,
    badgeToken: secrets.badgeToken(repo.id),
    lastUse: uses[0],
    useWarnings: useWarnings(repo, uses, clock.now()),
    ownNames: serverStatusNames(config.statusContext),
    noAnnotations: annotationsRefusal(repo.service, hosts),
    hostToken: hostTokenOf(repo, services),
    makesWebhook: hosts.of(repo)?.provider?.setWebhook !== undefined,
    excluded: builds.filter(({ excludedAsBase }) => excludedAsBase !== undefined),
    preview: tried === undefined ? [] : await previewAll(services, { builds, repo, tried }),
  };
}

function hostTokenOf(
  repo: Repo,
  { hosts, secrets }: { readonly hosts: Hosts; readonly secrets: Pick<Secrets, 'openText'> },
): SettingsPage['hostToken'] {
  const host = hosts.of(repo);
  if (host?.withToken === undefined) return undefined;
  const { name, credential } = host;
  if (repo.hostToken === undefined) return { name, credential, state: 'none' };
  return { name, credential, state: secrets.openText(repo.hostToken.sealed) === undefined ? 'lost' : 'set' };
}

async function previewAll(
  services: Services,
  of: {
    readonly builds: readonly BuildSummary[];
    readonly repo: Repo;
    readonly tried: Partial<RepoSettings>;
  },
): Promise<SettingsPage['preview']> {
  const closed = of.builds.filter(({ result }) => result !== undefined).slice(0, PREVIEWED);
  const previewed = await Promise.all(closed.map((build) => previewOne(services, { ...of, build })));
  return previewed.flatMap((one) => one ?? []);
}

/** As its next close would judge it: by the file that it was judged by, above the settings that are tried. */
async function previewOne(
  services: Services,
  { build, repo, tried }: { readonly build: BuildSummary; readonly repo: Repo; readonly tried: Partial<RepoSettings> },
): Promise<SettingsPage['preview'][number] | undefined> {
  const { views, config, clock } = services;
  const at = clock.now();
  const settings = { ...repo.settings, ...tried };
  const file =
    settings.configFile === 'off'
      ? undefined
      : await readBuildFile(services, { build: await views.find(build.id), repo });
  const { floors } = config;
  const rules = effectiveRules({ settings, file: file?.file, floors, at, branch: ruledBranch(build) });
  const ratchet = await findRatchet(services, { rules, repo, build, at });
  const then = previewVerdict(build, { rules, ratchet });
  return then && { build, then };
}
