import type { CommitAuthors } from '../../core/builds/job.ts';
import type { ExportedBuild } from './build-form.ts';
import type { ExportedJob } from './record-forms.ts';

/** Stands where an address stood. */
const LEFT_OUT = '…@…';

/** A free text without the e-mail addresses in it. */
export function hideAddresses(text: string): string {
  return text.replace(/[^\s<>()[\]",;]+/g, (word) => (isAddress(word) ? LEFT_OUT : word));
}

function isAddress(word: string): boolean {
  const at = word.indexOf('@');
  return at > 0 && word.indexOf('.', at) > at + 1 && !word.includes('://');
}

/** Rule 30: e-mail addresses of committers are for few, and anybody with the folder can read it. */
export function hideBuildAddresses(build: ExportedBuild): ExportedBuild {
  const { message, facts, acceptance, excludedAsBase, result } = build;
  const title = facts?.pull?.title;
  return {
    ...build,
    authors: withoutAddresses(build.authors),
    message: message && hideAddresses(message),
    ...(facts?.pull && title && { facts: { ...facts, pull: { ...facts.pull, title: hideAddresses(title) } } }),
    ...(acceptance && { acceptance: { ...acceptance, ...hideAccepted(acceptance) } }),
    ...(excludedAsBase && { excludedAsBase: { ...excludedAsBase, by: hideAddresses(excludedAsBase.by) } }),
    result: {
      ...result,
      ...(result.acceptance && { acceptance: { ...result.acceptance, ...hideAccepted(result.acceptance) } }),
    },
  };
}

/** The same of a job. */
export function hideJobAddresses(job: ExportedJob): ExportedJob {
  const { facts } = job;
  const { authors, message } = facts;
  return {
    ...job,
    facts: { ...facts, authors: withoutAddresses(authors), message: message && hideAddresses(message) },
  };
}

function withoutAddresses({ authorName, committerName }: CommitAuthors): CommitAuthors {
  return {
    authorName: authorName && hideAddresses(authorName),
    authorEmail: undefined,
    committerName: committerName && hideAddresses(committerName),
    committerEmail: undefined,
  };
}

function hideAccepted({ by, reason }: { readonly by: string; readonly reason: string }) {
  return { by: hideAddresses(by), reason: hideAddresses(reason) };
}
