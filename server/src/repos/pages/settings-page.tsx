import type { VNode } from 'preact';
import { printable } from '../../core/printable.ts';
import type { RepoSettings } from '../../core/repo/settings.ts';
import { renderPage } from '../../platform/web/frame.tsx';
import type { PageContext } from '../../platform/web/page-context.ts';
import { repoCrumbs, repoTabs } from '../../platform/web/page-top.tsx';
import type { Part } from '../../platform/web/render-parts.tsx';
import { counted } from '../../wording/phrases.ts';
import type { SettingsPage } from '../show-settings-page.ts';
import { RulesOfFlags, settingRules } from './setting-rules.tsx';
import { Bases, HostToken, RatchetForm, Remove, Tokens, Webhook } from './settings-access.tsx';
import { Panel, Sent, type SentForm } from './settings-fields.tsx';
import { BuildsForm, CommentForm, FlagsForm, StatusesForm, ThresholdsForm } from './settings-forms.tsx';
import { previewParts } from './settings-preview.tsx';

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

/** The sections by the last part of their address, `…/settings/<section>`, with their titles. */
export const SETTINGS_SECTIONS = {
  thresholds: 'Thresholds',
  ratchet: 'Ratchet',
  flags: 'Flags',
  statuses: 'Commit statuses',
  comment: 'Pull request comment',
  builds: 'Builds',
  bases: 'Bases',
  'host-token': 'Host token',
  webhook: 'Webhook',
  tokens: 'Tokens',
  remove: 'Remove',
} as const;
export type SettingsSection = keyof typeof SETTINGS_SECTIONS;

export interface ShownSettingsPage {
  readonly shown: SettingsPage;
  readonly section: SettingsSection;
  readonly notice: SettingsNotice;
  /** BASE_URL. */
  readonly root: string;
}

/** What may be set for a repo: one section at a time, each with a button of its own. */
export const renderSettingsPage = (of: ShownSettingsPage, page: PageContext): Iterable<string> => {
  const { repo, newest } = of.shown;
  const frame = {
    title: `${SETTINGS_SECTIONS[of.section]} · Settings · ${printable(repo.name)}`,
    crumbs: repoCrumbs(repo, page.links, { name: 'Settings', href: page.links.ofRepo(repo, 'settings') }),
    tabs: repoTabs({ repo, current: 'Settings', commit: newest?.commit, maintains: true }, page.links),
  };
  return renderPage(page, frame, mainParts(of, page));
};

const THRESHOLDS =
  'What a build must reach to pass. Empty fields aren’t checked; with no minimum and no drop set, any decrease fails.';

function* mainParts(of: ShownSettingsPage, page: PageContext): Generator<Part> {
  const { shown, notice, section } = of;
  yield (
    <>
      <h1>Settings</h1>
      <p class="quiet lede">Only people who can administer {printable(shown.repo.name)} see this page.</p>
    </>
  );
  yield { tags: '<div class="sections">' };
  yield <SectionNav of={of} page={page} />;
  yield { tags: '<div>' };
  yield <Notice notice={notice} />;
  yield (
    <Sent.Provider value={notice.sent?.what === section ? notice.sent : undefined}>{sectionOf(of, page)}</Sent.Provider>
  );
  if (section === 'thresholds' && notice.tried !== undefined) yield* previewParts(shown, page);
  yield { tags: '</div></div>' };
}

function sectionOf(of: ShownSettingsPage, page: PageContext): VNode | null {
  const { shown, notice, root, section } = of;
  const { repo } = shown;
  const link = page.links.ofRepo(repo, 'rules');
  const rules = settingRules(shown, link);
  switch (section) {
    case 'thresholds':
      return (
        <Panel id={section} name="Thresholds" about={THRESHOLDS}>
          <ThresholdsForm repo={repo} settings={{ ...repo.settings, ...notice.tried }} rules={rules} page={page} />
        </Panel>
      );
    case 'flags':
      return (
        <Panel
          id={section}
          name="Flags"
          about="Rules for individual flags. A flag without a row follows the rules of the repo."
        >
          <FlagsForm repo={repo} page={page}>
            <RulesOfFlags rules={shown.rules} link={link} />
          </FlagsForm>
        </Panel>
      );
    case 'statuses':
      return (
        <Panel
          id={section}
          name="Commit statuses"
          about="Shown on each commit. Branch protection refers to these names."
        >
          <StatusesForm repo={repo} ownNames={shown.ownNames} rules={rules} page={page} />
        </Panel>
      );
    case 'comment':
      return (
        <Panel id={section} name="Pull request comment" about="One per pull request, updated with every push.">
          <CommentForm repo={repo} noAnnotations={shown.noAnnotations} rules={rules} page={page} />
        </Panel>
      );
    case 'builds':
      return (
        <Panel id={section} name="Builds" about="When builds finish, how long they are kept, and who can read them.">
          <BuildsForm repo={repo} effective={shown.effective} page={page} />
        </Panel>
      );
    case 'ratchet':
      return <RatchetForm shown={shown} page={page} />;
    case 'bases':
      return <Bases shown={shown} page={page} />;
    case 'host-token':
      return shown.hostToken === undefined ? null : <HostToken shown={shown} host={shown.hostToken} page={page} />;
    case 'webhook':
      return <Webhook shown={shown} page={page} />;
    case 'tokens':
      return <Tokens shown={shown} page={page} root={root} />;
    case 'remove':
      return <Remove shown={shown} page={page} />;
  }
}

/** Whether a repo has this section: some depend on its git host, or on what its own file says. */
export function hasSection(section: SettingsSection, shown: SettingsPage): boolean {
  const { hostToken, makesWebhook, rules, repo } = shown;
  const hasRatchet = (rules?.values ?? []).some(({ key }) => key.startsWith('total.ratchet'));
  const when: Partial<Record<SettingsSection, boolean>> = {
    ratchet: hasRatchet || repo.settings.ratchetReset !== undefined,
    'host-token': hostToken !== undefined,
    webhook: makesWebhook,
  };
  return when[section] ?? true;
}

/** `was`: what bookmarks call it (`settings#history`), from when all settings were on one page. */
type NavLink =
  | SettingsSection
  | { readonly part: string; readonly name: string; readonly was?: string }
  | { readonly sharing: string };

/** Sections, each with an address of its own, and pages beside them. */
const NAV: Readonly<Record<string, readonly NavLink[]>> = {
  Checks: [
    'thresholds',
    'ratchet',
    'flags',
    { part: 'rules', name: 'Rules file' },
    { part: 'flipping', name: 'Flipping lines' },
  ],
  Reporting: ['statuses', 'comment'],
  Data: ['builds', 'bases', { part: 'settings/import', name: 'Import', was: 'history' }],
  Access: [{ sharing: 'Sharing' }, 'host-token', 'webhook', 'tokens', 'remove'],
};

function SectionNav({ of, page: { links } }: { readonly of: ShownSettingsPage; readonly page: PageContext }): VNode {
  const { shown, section, notice } = of;
  const { repo } = shown;
  // The page of an address without a section, to which bookmarks with one lead: page.js follows them.
  const isFirst = section === 'thresholds';
  const linkOf = (entry: NavLink): VNode => {
    if (typeof entry !== 'string')
      return 'part' in entry ? (
        <a href={links.ofRepo(repo, entry.part)} id={entry.was}>
          {entry.name}
        </a>
      ) : (
        <a href={links.sharingOf(repo)} id="sharing">
          {entry.sharing}
        </a>
      );
    return (
      <a
        href={links.ofRepo(repo, `settings/${entry}`)}
        {...(entry === section ? { 'aria-current': 'page' as const } : isFirst && { id: entry })}
      >
        {SETTINGS_SECTIONS[entry]}
        {entry === notice.sent?.what && <Problems sent={notice.sent} />}
      </a>
    );
  };
  return (
    <nav class="sidenav" aria-label="Sections of the settings">
      {Object.entries(NAV).map(([heading, entries]) => (
        <>
          <h2>{heading}</h2>
          <ul>
            {entries
              .filter((entry) => typeof entry !== 'string' || entry === section || hasSection(entry, shown))
              .map((entry) => (
                <li>{linkOf(entry)}</li>
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
  ratchet: 'The ratchet was lowered. It rises again after 3 builds of the default branch.',
  token: 'The repo has a new token. It is shown below.',
  'host-token-set': 'The token is used for this repo from now on. It is never shown again.',
  'host-token-removed': 'The token was removed. This server’s own token is used for this repo from now on.',
  'webhook-made': 'The webhook was created.',
  'webhook-repaired': 'The webhook existed already. Its events and its secret were repaired.',
  'webhook-unchanged': 'The webhook existed already, with all its events. Its secret was set again.',
};

function Notice({ notice }: { readonly notice: SettingsNotice }): VNode | null {
  if (notice.refused !== undefined) {
    const wrong = notice.sent?.problems.size ?? 0;
    return (
      <div class="note bad" role="alert">
        <p>
          {wrong === 0 ? (
            <>
              <b>Not saved.</b> {printable(notice.refused, 1_000)}
            </>
          ) : (
            <b>
              Not saved: {counted(wrong, 'field')} {wrong === 1 ? 'needs' : 'need'} your attention.
            </b>
          )}
        </p>
      </div>
    );
  }
  if (notice.saved === undefined) return null;
  return (
    <div class="note good" role="status">
      <p>{SAVED[notice.saved] ?? 'Saved. Applies from the next build.'}</p>
    </div>
  );
}
