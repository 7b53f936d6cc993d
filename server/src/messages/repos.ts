// Repos and their settings. Names in capitals with FORM say what a value must be.
import type { Texts } from './values.ts';

export function tokenUsedElsewhere({ named, client, day }: Texts<'named' | 'client' | 'day'>): string {
  return (
    `This repo’s token is also used by clients of ${named} (last on ${day}, by ${client}). Give ${named} a token of ` +
    'its own. If nobody meant to share this one, rotate it.'
  );
}

export function nameWrong(form: string): string {
  return `repo.name must be ${form}.`;
}

export function nameTaken(service: string, name: string): string {
  return (
    `The ${service} repo ${name} exists already (names are compared without regard to case). Change it with PUT, or ` +
    'choose another name.'
  );
}

export const PERSONAL_TOKEN_NEEDED =
  'A repo is made with a personal token. Send Authorization: token <personal token>.';

export function mayNotMake(service: string, name: string): string {
  return (
    `Only an administrator can make a ${service} repo called ${name} for you: this server announces on the pull ` +
    "requests of a git host's repos, and some manual names are reserved. Ask one to make it, or choose another " +
    'name with service "manual".'
  );
}

export function repoNotChangeable(service: string, name: string): string {
  return (
    `The ${service} repo ${name} can be read, but not changed, with these credentials: only its owner and ` +
    'administrators may.'
  );
}

export function noRepo(service: string, name: string): string {
  return `There is no ${service} repo ${name} that these credentials may see. Make it with POST /api/v1/repos.`;
}

export function annotationsImpossible(reason: string): string {
  return `annotations cannot be true: ${reason}.`;
}

export function statusNamesWrong(found: string): string {
  return `must be {"build", "flag", "patch"}, not ${found}`;
}

export function statusNameUnknown(name: string): string {
  return `${name} is unknown (known: build, flag, patch)`;
}

export const STATUS_NAMES_SAME = 'build, flag and patch must differ by more than case';

export function statusNameNoText(name: string, found: string): string {
  return `${name} must be a text, not ${found}`;
}

export function statusNameTooLong(name: string, most: number): string {
  return `${name} is longer than ${most} characters`;
}

export function statusNameHidden(name: string, found: string): string {
  return `${name} must be printable, without emoji or blanks around it: ${found}`;
}

export function flagPlaceholderMissing(placeholder: string, found: string): string {
  return `flag must hold ${placeholder} exactly once: ${found}`;
}

export function statusNameHolds({ name, placeholder, found }: Texts<'name' | 'placeholder' | 'found'>): string {
  return `${name} must not hold ${placeholder}: ${found}`;
}

export const DURATION_FORM = 'a number with a unit (ms, s, m, h or d), such as 500ms, 60s, 30m, 24h or 7d';

export function repoNameForm(part: string): string {
  const form = 'made of parts of 1 to 100 letters, digits or the characters . _ ~ - (and not . or ..)';
  return `${form}; the part ${part} is not`;
}

export const SWITCH_FORM = 'true or false';

export const PERCENT_FORM = 'a number from 0 to 100, or null';

export const PATCH_MINIMUM_FORM = 'a number from 0 to 100, "base" for the total of the base build, or null';

export function settingUnknown(name: string, known: string): string {
  return `${name} is unknown (known: ${known})`;
}

export function settingWrong({ name, form, found }: Texts<'name' | 'form' | 'found'>): string {
  return `${name} must be ${form}, not ${found}`;
}

export function credentialMissing(host: string, variables: string): string {
  return `this server has no credential for ${host}; set ${variables}`;
}

export function hostUnsupported(service: string): string {
  return `this version of the server does not support ${service}`;
}

export function nothingAnnounced(why: string): string {
  return `Nothing is announced: ${why}.`;
}

export function nothingMarked(why: string): string {
  return `Uncovered lines are not marked: ${why}.`;
}

export function suspended(why: string): string {
  return `The repo is suspended: ${why}`;
}

export function annotationsElsewhere(hosts: string, service: string): string {
  return `annotations are check runs of ${hosts}, and the service of this repo is ${service}`;
}

export function nothingAnnouncedSince(since: string, why: string): string {
  return `Nothing has been announced since ${since} UTC: ${why}. What was given up is then tried again.`;
}

export function nameMovedTo(name: string, id: string): string {
  return `The name ${name} now means another repo at the provider (${id}).`;
}

export function fieldMissing(form: string): string {
  return `is missing; it must be ${form}`;
}

export function fieldWrong(form: string, found: string): string {
  return `must be ${form}, not ${found}`;
}

export function notAnObject(place: string, found: string): string {
  return `${place || 'The body'} must be an object, not ${found}.`;
}

export const FILENAME_MISSING = 'filename is missing: add ?filename=<a name from source_files.json>.';

export function repoPathWrong(found: string, place: string): string {
  return `There is no repo ${found}: ${place} <service>/<owner>/<name>.`;
}

export const A_REPO_IS = 'a repo is';

export function oneOf(known: string): string {
  return `one of ${known}`;
}

export function atMost90Days(form: string): string {
  return `${form}, at most 90d`;
}

export function bodyWrong(found: string): string {
  return `The body must be {"repo": {…}}, not ${found}.`;
}

export const REPO_MISSING = 'The body must be {"repo": {…}}; the key repo is missing.';

export function unknownBesideRepo(keys: string): string {
  return `Unknown beside repo: ${keys}. Put settings inside repo.`;
}

export const PATH_ENDS_IN = 'the path ends in';

export function flagForm(most: number): string {
  return `a flag's name, 1 to ${most} characters without blanks around it`;
}

export function tooManyEntries(entries: number, most: number): string {
  return `has ${entries} entries; at most ${most} are taken`;
}

export function flagJudgedWrong(found: string): string {
  return `must be {"flag", "minimum", "allowed_drop", "informational"}, not ${found}`;
}

export function statusTemplateWrong(found: string): string {
  return `must be null, "coveralls", "codecov", or {"build", "flag", "patch"}, not ${found}`;
}

export function atMost30Days(form: string): string {
  return `${form}, at most 30d; or null`;
}

export const FLAGS_FORM = 'a list of flags, or null';

export const JUDGED_FLAGS_FORM = 'a list of what single flags are judged by';

export const BRANCH_FORM = "a branch's name, or null";

export function namedTwice(name: string): string {
  return `names ${name} more than once`;
}

/** What ends the statuses that are open at the host. */
export const REPO_REMOVED = 'repo was removed';

export const STATUS_NAMES_FORM = 'null, "coveralls", "codecov", or three templates; `<flag>` stands for the flag';

export const IGNORED_FIELD = 'Of the read answer; ignored.';

export function removalUnconfirmed(name: string): string {
  return `Nothing was removed: type ${name} to confirm.`;
}

export const NOTHING_CHANGED = 'Nothing was changed: the form does not say what to do.';

export const TOKEN_LOST =
  'The stored repo token cannot be read: no key of this server opens it. Bring the key back, or rotate the token.';
