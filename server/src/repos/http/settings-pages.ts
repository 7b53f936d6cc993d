import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { type FormFields, formOf, takeForm } from '../../access/browser/forms.ts';
import type { RepoRequest } from '../../access/find-administered-repo.ts';
import { excludeBase } from '../../builds/exclude-base.ts';
import { notInRepo } from '../../builds/find-readable.ts';
import { Failure } from '../../core/failure.ts';
import type { RepoAddress } from '../../core/repo/repo-name.ts';
import { ALL_SETTINGS, type RepoSettings, SECTIONS, type SettingsSection } from '../../core/repo/settings.ts';
import { readField } from '../../platform/http/read-query.ts';
import { sendPage } from '../../platform/http/send-pieces.ts';
import type { Services } from '../../services/services.ts';
import { capitalize } from '../../wording/phrases.ts';
import { lowerRatchet } from '../lower-ratchet.ts';
import {
  hasSection,
  renderSettingsPage,
  SETTINGS_SECTIONS,
  type SettingsNotice,
  type SettingsSection as SettingsSectionName,
} from '../pages/settings-page.tsx';
import { removeRepo } from '../remove-repo.ts';
import { rotateRepoToken } from '../rotate-repo-token.ts';
import { setHostToken } from '../set-host-token.ts';
import { setWebhook } from '../set-webhook.ts';
import { showSettingsPage } from '../show-settings-page.ts';
import { updateSettings } from '../update-settings.ts';
import { readGracePeriod } from './repo-fields.ts';
import { registerPart } from './repo-pages-routes.ts';
import { filledRows, readSettingsForm } from './settings-form.ts';
import { readRatchetReason } from './settings-routes.ts';

/** In which section a form is, or what came of it is shown, if its name does not say so. */
const PLACES: Readonly<Record<string, SettingsSectionName>> = {
  token: 'tokens',
  base: 'bases',
  'host-token-remove': 'host-token',
  'host-token-set': 'host-token',
  'host-token-removed': 'host-token',
  'webhook-made': 'webhook',
  'webhook-repaired': 'webhook',
  'webhook-unchanged': 'webhook',
};
/** What the page itself reports. */
const REFUSED = { 'payload-invalid': 422, unavailable: 503 } as const;

/** What a form did, and where its reader continues. */
type Outcome = { readonly to: string } | { readonly tried: Partial<RepoSettings> };

/**
 * `GET /<service>/<owner>/<repo>/settings/<section>`, without one the thresholds, and `POST …/settings`: the field `do`
 * says which of its forms was sent.
 */
export function registerSettingsPages(router: Router, services: Services): void {
  const { identifyReader, pageOf } = services;
  const readForm = takeForm(services, { forPrograms: true });
  const show = async (context: RouterContext, address: RepoAddress, section: string): Promise<void> => {
    const request = { caller: await identifyReader(context), address };
    await sendSettings(context, services, { request, section }, { saved: readField(context.query, 'saved') });
  };
  registerPart(router, services, 'settings', (context, address) => show(context, address, 'thresholds'));
  registerPart(
    router,
    services,
    'settings/:section',
    (context, address) => show(context, address, context.params.section ?? ''),
    // Another last part may be a repo's own page, or a repo below a group that is called `settings`.
    { isPart: ({ section = '' }) => isShown(section) },
  );

  registerPart(
    router,
    services,
    'settings',
    async (context, address) => {
      await readForm(context, async () => {});
      const caller = await identifyReader(context);
      const form = formOf(context);
      try {
        const outcome = await act(services, { caller, address }, form);
        if ('tried' in outcome) {
          const place = { request: { caller, address }, section: 'thresholds' };
          return await sendSettings(context, services, place, outcome);
        }
        context.status = 303;
        const { links } = pageOf(context);
        if (outcome.to === '') context.redirect(links.home());
        else if (form('from') === 'set-up') context.redirect(links.ofRepo(address, 'set-up'));
        else context.redirect(settingsAddress(context, services, address, outcome.to));
      } catch (error) {
        if (!(error instanceof Failure) || !(error.code in REFUSED)) throw error;
        context.status = REFUSED[error.code as keyof typeof REFUSED];
        const sent = { what: sectionOf(form('do')), values: form, problems: problemsOf(error.message, form) };
        const section = isShown(sent.what) ? sent.what : (PLACES[sent.what] ?? 'thresholds');
        const place = { request: { caller, address }, section };
        await sendSettings(context, services, place, { refused: error.message, sent });
      }
    },
    { method: 'post' },
  );
}

function settingsAddress(
  context: RouterContext,
  { pageOf }: Pick<Services, 'pageOf'>,
  address: RepoAddress,
  saved: string,
) {
  const show = saved === 'token' ? 'token' : undefined;
  return pageOf(context).links.ofRepo(address, `settings/${PLACES[saved] ?? saved}`, { saved, show });
}

async function sendSettings(
  context: RouterContext,
  services: Services,
  { request, section }: { readonly request: RepoRequest; readonly section: string },
  notice: SettingsNotice,
): Promise<void> {
  const { addresses, pageOf } = services;
  const showToken = readField(context.query, 'show') === 'token';
  const shown = await showSettingsPage(services, { ...request, showToken, tried: notice.tried });
  const hasOne = isShown(section) && hasSection(section, shown);
  // A refusal is shown even if the repo lacks the section of its form.
  if (!hasOne && notice.refused === undefined) throw notInRepo(shown.repo, 'section of the settings', section);
  const at = hasOne ? section : 'thresholds';
  await sendPage(context, renderSettingsPage({ shown, section: at, notice, root: addresses.root() }, pageOf(context)));
}

function isShown(section: string): section is SettingsSectionName {
  return Object.hasOwn(SETTINGS_SECTIONS, section);
}

async function act(services: Services, request: RepoRequest, form: FormFields): Promise<Outcome> {
  const asked = form('do');
  if (isSection(asked)) {
    await updateSettings(services, { ...request, settings: readSettingsForm(asked, form) });
    return { to: asked };
  }
  switch (asked) {
    case 'preview':
      return { tried: readSettingsForm('thresholds', form) };
    case 'token':
      await rotateRepoToken(services, {
        ...request,
        gracePeriod: readGracePeriod({ grace_period: form('grace_period') }),
      });
      return { to: 'token' };
    case 'host-token':
      await setHostToken(services, { ...request, token: form('host_token').trim() });
      return { to: 'host-token-set' };
    case 'host-token-remove':
      await setHostToken(services, { ...request, token: undefined });
      return { to: 'host-token-removed' };
    case 'webhook':
      return { to: `webhook-${(await setWebhook(services, request)).result}` };
    case 'ratchet':
      await lowerRatchet(services, { ...request, ...readRatchetReason({ reason: form('reason') }) });
      return { to: 'ratchet' };
    case 'base':
      await excludeBase(services, { caller: request.caller, reference: form('build'), excluded: false });
      return { to: 'bases' };
    case 'remove':
      if (form('confirm').trim() !== request.address.name)
        throw new Failure('payload-invalid', `Nothing was removed: type ${request.address.name} to confirm.`);
      await removeRepo(services, request);
      return { to: '' };
    default:
      throw new Failure('payload-invalid', 'Nothing was changed: the form does not say what to do.', { field: 'do' });
  }
}

/** The form that a button belongs to. */
function sectionOf(asked: string): string {
  return asked === 'preview' ? 'thresholds' : asked;
}

/** Settings of several inputs, which have names of their own. */
const IN_PARTS: ReadonlySet<string> = new Set(['flag-settings', 'status-names']);

/** From a sentence that names every invalid field: the remark about each, by the name of its input. */
function problemsOf(message: string, form: FormFields): ReadonlyMap<string, string> {
  const told = message.replace(/\.$/, '').split('; ');
  const ofSettings = ALL_SETTINGS.filter(({ kind }) => !IN_PARTS.has(kind)).flatMap(({ key, input = key }) => {
    const found = told.find((one) => one.startsWith(`${key} `) || one.startsWith(`${key}[`));
    return found === undefined ? [] : [[input, found.slice(found.indexOf(' ') + 1)] as const];
  });
  const ofNames = told.flatMap((one) => {
    const [, place, problem] = /^status_names (build|flag|patch) (.+)$/s.exec(one) ?? [];
    return problem === undefined ? [] : [[`name_${place}`, problem] as const];
  });
  const rows = filledRows(form);
  const ofFlags = told.flatMap((one) => {
    const [, at, field, problem] = /^flag_settings\[(\d+)\](?:\.(\w+))? (.+)$/s.exec(one) ?? [];
    const row = rows[Number(at)];
    return row === undefined || problem === undefined ? [] : [[`${field ?? 'flag'}_${row}`, problem] as const];
  });
  return new Map([...ofSettings, ...ofNames, ...ofFlags].map(([input, problem]) => [input, `${capitalize(problem)}.`]));
}

function isSection(asked: string): asked is SettingsSection {
  return Object.hasOwn(SECTIONS, asked);
}
