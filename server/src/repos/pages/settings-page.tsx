import type { VNode } from 'preact';
import { MAX_REASON } from '../../core/builds/acceptance.ts';
import { printable } from '../../core/printable.ts';
import type { RepoSettings } from '../../core/repo/settings.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { When } from '../../platform/web/when.tsx';
import { shortCommit, titleOf } from '../../wording/build-name.ts';
import { clientName } from '../../wording/client-name.ts';
import { TOKEN_LOST } from '../sentences.ts';
import type { SettingsPage } from '../show-settings-page.ts';
import { RulesOfFlags, settingRules } from './setting-rules.tsx';
import { Sending, Sent, type SentForm } from './settings-fields.tsx';
import { BuildsForm, CommentForm, FlagsForm, StatusesForm, ThresholdsForm } from './settings-forms.tsx';
import { previewParts } from './settings-preview.tsx';
import { badgeText, Snippet } from './snippets.tsx';

/** What came of a form, or what one would do. */
export interface SettingsNotice {
  /** Which part was saved. */
  readonly saved?: string | undefined;
  /** Why nothing was saved. */
  readonly refused?: string | undefined;
  /** The form that was refused, as it was sent. */
  readonly sent?: SentForm | undefined;
  /** Thresholds that are tried and not saved. */
  readonly tried?: Partial<RepoSettings> | undefined;
}

export interface ShownSettingsPage {
  readonly shown: SettingsPage;
  readonly notice: SettingsNotice;
  /** BASE_URL. */
  readonly root: string;
}

/** Everything that may be set for a repo, each part with a button of its own. */
export const renderSettingsPage = (of: ShownSettingsPage, page: PageContext): Iterable<string> => {
  const { repo, newest } = of.shown;
  const frame = {
    title: `Settings · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, page.links, { name: 'Settings', href: page.links.ofRepo(repo, 'settings') }),
    tabs: repoTabs({ repo, current: 'Settings', commit: newest?.commit, maintains: true }, page.links),
  };
  return renderPage(page, frame, mainParts(of, page));
};

const THRESHOLDS =
  'What a build must reach to pass. Empty fields aren’t checked; with no minimum and no drop set, any decrease fails.';

function* mainParts(of: ShownSettingsPage, page: PageContext): Generator<Part> {
  const { shown, notice } = of;
  yield (
    <>
      <h1>Settings</h1>
      <p class="quiet lede">Only people who may administer {printable(shown.repo.name)} see this page.</p>
    </>
  );
  yield { tags: '<div class="sections">' };
  yield <SectionNav shown={shown} sent={notice.sent} page={page} />;
  yield { tags: '<div>' };
  yield <Notice notice={notice} />;
  yield* checkSections(of, page);
  yield* otherSections(of, page);
  yield { tags: '</div></div>' };
}

/** What builds are judged by, and how that is announced. */
function* checkSections({ shown, notice }: ShownSettingsPage, page: PageContext): Generator<Part> {
  const { repo } = shown;
  const settings = { ...repo.settings, ...notice.tried };
  const link = page.links.ofRepo(repo, 'rules');
  const rules = settingRules(shown, link);
  const sentTo = (section: string): SentForm | undefined => (notice.sent?.what === section ? notice.sent : undefined);
  yield { tags: '<section class="panel" id="thresholds">' };
  yield <Head name="Thresholds">{THRESHOLDS}</Head>;
  yield { tags: '<div class="in stack">' };
  yield (
    <Sent.Provider value={sentTo('thresholds')}>
      <ThresholdsForm repo={repo} settings={settings} rules={rules} page={page} />
    </Sent.Provider>
  );
  if (notice.tried !== undefined) yield* previewParts(shown, page);
  yield { tags: '</div></section>' };
  if (hasRatchet(shown)) yield <RatchetForm shown={shown} page={page} />;
  yield (
    <Split id="flags" name="Flags" about="Rules of single flags. One without a row is judged like the repo.">
      <Sent.Provider value={sentTo('flags')}>
        <FlagsForm repo={repo} page={page}>
          <RulesOfFlags rules={shown.rules} link={link} />
        </FlagsForm>
      </Sent.Provider>
    </Split>
  );
  yield (
    <Split id="statuses" name="Commit statuses" about="Shown on each commit. Branch protection refers to these names.">
      <Sent.Provider value={sentTo('statuses')}>
        <StatusesForm repo={repo} ownNames={shown.ownNames} rules={rules} page={page} />
      </Sent.Provider>
    </Split>
  );
  yield (
    <Split id="comment" name="Pull request comment" about="One per pull request, updated with every push.">
      <Sent.Provider value={sentTo('comment')}>
        <CommentForm repo={repo} noAnnotations={shown.noAnnotations} rules={rules} page={page} />
      </Sent.Provider>
    </Split>
  );
  yield (
    <Split id="builds" name="Builds" about="What a whole build brings, and who may read it.">
      <Sent.Provider value={sentTo('builds')}>
        <BuildsForm repo={repo} effective={shown.effective} page={page} />
      </Sent.Provider>
    </Split>
  );
}

/** Where its numbers come from besides, and who may do what. */
function* otherSections({ shown, root }: ShownSettingsPage, page: PageContext): Generator<Part> {
  const { repo } = shown;
  yield (
    <Split id="history" name="History" about="Builds of another coverage service, for the trend and the next base.">
      <p>
        <a href={page.links.ofRepo(repo, 'settings/import')}>Import history</a> from Codecov, Coveralls, SonarQube,
        gocov, or a folder of old reports.
      </p>
    </Split>
  );
  if (shown.excluded.length > 0) yield <Bases shown={shown} page={page} />;
  yield (
    <Split id="sharing" name="Sharing" about="Who else reads this repo: links that expire, and people by name.">
      <p>
        <a href={page.links.sharingOf(repo)}>Share links and members</a>
      </p>
    </Split>
  );
  if (shown.hostToken !== undefined) yield <HostToken shown={shown} host={shown.hostToken} page={page} />;
  if (shown.makesWebhook) yield <Webhook shown={shown} page={page} />;
  yield <Tokens shown={shown} page={page} root={root} />;
  yield <Remove shown={shown} page={page} />;
}

/** The parts of this long page, in their order, and the pages beside it. */
function SectionNav(props: {
  readonly shown: SettingsPage;
  readonly sent: SentForm | undefined;
  readonly page: PageContext;
}): VNode {
  const { shown, sent, page } = props;
  const { repo, hostToken, makesWebhook, excluded } = shown;
  const sections: Readonly<Record<string, readonly (readonly [href: string, name: string])[]>> = {
    Checks: [
      ['#thresholds', 'Thresholds'],
      ...(hasRatchet(shown) ? [['#ratchet', 'Ratchet'] as const] : []),
      ['#flags', 'Flags'],
      [page.links.ofRepo(repo, 'rules'), 'Rules'],
      [page.links.ofRepo(repo, 'flipping'), 'Flipping lines'],
    ],
    Reporting: [
      ['#statuses', 'Commit statuses'],
      ['#comment', 'Pull request comment'],
    ],
    Data: [
      ['#builds', 'Builds'],
      ['#history', 'History'],
      ...(excluded.length === 0 ? [] : [['#bases', 'Bases'] as const]),
    ],
    Access: [
      ['#sharing', 'Sharing'],
      ...(hostToken === undefined ? [] : [['#host-token', 'Host token'] as const]),
      ...(makesWebhook ? [['#webhook', 'Webhook'] as const] : []),
      ['#tokens', 'Tokens'],
      ['#remove', 'Remove'],
    ],
  };
  return (
    <nav class="sidenav" aria-label="Sections of the settings">
      {Object.entries(sections).map(([heading, links]) => (
        <>
          <h2>{heading}</h2>
          <ul>
            {links.map(([href, name]) => (
              <li>
                <a href={href}>
                  {name}
                  {href === `#${sent?.what}` && <Problems sent={sent} />}
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
    </nav>
  );
}

/** How many fields of a section are wrong. */
function Problems({ sent }: { readonly sent: SentForm | undefined }): VNode | null {
  const count = sent?.problems.size ?? 0;
  if (count === 0) return null;
  return (
    <>
      {' '}
      <span class="n">
        {count}
        <span class="sr"> to fix</span>
      </span>
    </>
  );
}

const SAVED: Readonly<Record<string, string>> = {
  ratchet: 'The ratchet is lowered. It rises again once 3 builds of the default branch have stood.',
  token: 'The repo has a new token. It is shown below.',
  'host-token-set': 'The token is used for this repo from now on. It is never shown again.',
  'host-token-removed': 'The token is removed. This server’s own is used for this repo from now on.',
  'webhook-made': 'The webhook is made.',
  'webhook-repaired': 'The webhook was there. It has all its events and the secret again.',
  'webhook-unchanged': 'The webhook was there, with all its events. It was given the secret again.',
};

function Notice({ notice }: { readonly notice: SettingsNotice }): VNode | null {
  if (notice.refused !== undefined)
    return (
      <div class="note bad" role="alert">
        <p>
          <b>Not saved.</b> {printable(notice.refused, 1_000)}
        </p>
      </div>
    );
  if (notice.saved === undefined) return null;
  return (
    <div class="note good" role="status">
      <p>{SAVED[notice.saved] ?? 'Saved. Applies from the next build.'}</p>
    </div>
  );
}

function Head({ name, children }: { readonly name: string; readonly children: string }): VNode {
  return (
    <header>
      <h2>{name}</h2>
      <p>{children}</p>
    </header>
  );
}

function Split(props: {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly children: VNode | (VNode | null)[];
}): VNode {
  return (
    <section class="panel" id={props.id}>
      <Head name={props.name}>{props.about}</Head>
      <div class="in stack">{props.children}</div>
    </section>
  );
}

/** One that the newest build was judged by, or that was lowered once. */
function hasRatchet({ repo, rules }: SettingsPage): boolean {
  const isSet = (rules?.values ?? []).some(({ key }) => key.startsWith('total.ratchet'));
  return isSet || repo.settings.ratchetReset !== undefined;
}

function RatchetForm({ shown: { repo }, page }: { readonly shown: SettingsPage; readonly page: PageContext }): VNode {
  const { ratchetReset: last } = repo.settings;
  const label = 'Why it is lowered';
  return (
    <Split
      id="ratchet"
      name="Ratchet"
      about="The total may not fall below the best one that stood. Lowered, it forgets every total until now."
    >
      {last === undefined ? null : (
        <p>
          Lowered <When at={last.at} now={page.now} /> by {printable(last.by, 60)}: {printable(last.reason, 500)}
        </p>
      )}
      <Sending repo={repo} page={page} what="ratchet" class="row">
        <input name="reason" aria-label={label} placeholder={label} size={40} required maxlength={MAX_REASON} />
        <button type="submit" class="danger">
          Lower the ratchet
        </button>
      </Sending>
    </Split>
  );
}

function HostToken(props: {
  readonly shown: SettingsPage;
  readonly host: NonNullable<SettingsPage['hostToken']>;
  readonly page: PageContext;
}): VNode {
  const { shown, host, page } = props;
  const { repo } = shown;
  const label = `A token of ${host.name} for this repo`;
  return (
    <Split
      id="host-token"
      name={`Token at ${host.name}`}
      about={`Used for this repo in place of ${host.credential}. It is stored encrypted, and never shown again.`}
    >
      <p>
        {host.state === 'none' && 'This server’s own token is used.'}
        {host.state === 'lost' && 'It has one that no key of this server opens, so this server’s own is used.'}
        {host.state === 'set' && repo.hostToken !== undefined && (
          <>
            It has one, set <When at={repo.hostToken.at} now={page.now} />.
          </>
        )}
      </p>
      <Sending repo={repo} page={page} what="host-token" class="row">
        <input name="host_token" type="password" aria-label={label} placeholder={label} size={28} autocomplete="off" />
        <button type="submit">Use this token</button>
      </Sending>
      {host.state === 'none' ? null : (
        <Sending repo={repo} page={page} what="host-token-remove" class="row">
          <button type="submit" class="danger">
            Remove it
          </button>
        </Sending>
      )}
    </Split>
  );
}

function Webhook({ shown: { repo }, page }: { readonly shown: SettingsPage; readonly page: PageContext }): VNode {
  return (
    <Split
      id="webhook"
      name="Webhook"
      about="By it the git host tells this server what happened. Without it builds end later."
    >
      <Sending repo={repo} page={page} what="webhook" class="row">
        <button type="submit">Make or repair the webhook</button>
      </Sending>
    </Split>
  );
}

function Tokens({
  shown,
  page,
  root,
}: {
  readonly shown: SettingsPage;
  readonly page: PageContext;
  readonly root: string;
}) {
  const { repo, token, badgeToken, effective } = shown;
  const origin = new URL(root).origin;
  const query = { t: effective.visibility === 'public' ? undefined : badgeToken };
  const badge = badgeText(origin + page.links.badge(repo, query), origin + page.links.repo(repo));
  return (
    <Split
      id="tokens"
      name="Tokens"
      about="CI uploads with the repo token. The badge token can read the badge, nothing else."
    >
      <div class="field">
        <b>Repo token</b>
        {token === undefined ? <p>{TOKEN_LOST}</p> : <p class="secret">{token}</p>}
        {token?.includes('•') && (
          <a href={`${page.links.ofRepo(repo, 'settings', { show: 'token' })}#tokens`}>Show it</a>
        )}
        <LastUse shown={shown} page={page} />
      </div>
      <Sending repo={repo} page={page} what="token" class="row">
        <label class="row">
          Keep the old one valid for{' '}
          <select name="grace_period">
            <option value="24h">24 hours</option>
            <option value="7d">7 days</option>
            <option value="0s">no time</option>
          </select>
        </label>
        <button type="submit">Rotate repo token</button>
      </Sending>
      <div class="field">
        <b>Badge</b>
        <Snippet text={badge} />
      </div>
    </Split>
  );
}

function LastUse({
  shown: { lastUse, useWarnings },
  page,
}: {
  readonly shown: SettingsPage;
  readonly page: PageContext;
}) {
  return (
    <>
      <p class="quiet small">
        {lastUse === undefined ? (
          'No upload with it is known.'
        ) : (
          <>
            Last used <When at={lastUse.at} now={page.now} />
            {lastUse.client !== undefined && <LastClient told={lastUse.client} />}
          </>
        )}
      </p>
      {useWarnings.map((sentence) => (
        <div class="note warn">
          <p>{printable(sentence, 600)}</p>
        </div>
      ))}
    </>
  );
}

/** As `<User-Agent> · <CI>`. */
function LastClient({ told }: { readonly told: string }): VNode {
  const [agent = '', ...others] = told.split(' · ');
  return (
    <span title={printable(told, 200)}>
      {' '}
      by {[clientName(agent), ...others.map((other) => printable(other, 60))].join(' · ')}
    </span>
  );
}

function Bases({ shown, page }: { readonly shown: SettingsPage; readonly page: PageContext }): VNode {
  const { repo, excluded } = shown;
  return (
    <Split id="bases" name="Not used as a base" about="No build is compared with these.">
      {excluded.map((build) => (
        <Sending repo={repo} page={page} what="base" class="row">
          <input type="hidden" name="build" value={build.id} />
          <span>
            <a href={page.links.build(build.id)}>{titleOf(build, page.links.terms(repo))}</a>{' '}
            {build.commit !== undefined && <span class="ref">{shortCommit(build.commit)}</span>}{' '}
            <span class="quiet">by {printable(build.excludedAsBase?.by ?? '', 60)}</span>
          </span>
          <button type="submit">Use as a base again</button>
        </Sending>
      ))}
    </Split>
  );
}

function Remove({ shown: { repo }, page }: { readonly shown: SettingsPage; readonly page: PageContext }): VNode {
  const confirm = `Type ${printable(repo.name)} to confirm`;
  return (
    <Split id="remove" name="Remove" about="Deletes builds, files and tokens. Open statuses are completed first.">
      <Sending repo={repo} page={page} what="remove" class="row">
        <input name="confirm" aria-label={confirm} placeholder={confirm} size={28} autocomplete="off" />
        <button type="submit" class="danger">
          Remove this repo
        </button>
      </Sending>
    </Split>
  );
}
