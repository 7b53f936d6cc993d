import { serverStatusNames } from '../../server/src/core/announce/contexts.ts';
import type { Message } from '../../server/src/core/announce/delivery.ts';
import type { OpenedContext } from '../../server/src/core/builds/build.ts';
import { USUAL_TERMS } from '../../server/src/core/repo/git-host.ts';
import type { Announcing } from '../../server/src/wording/plan.ts';
import { links } from './comment-links.ts';
import { sha } from './records.ts';

/** What tests of plans say of a repo that wants everything announced, and how they read the messages of a plan. */

/** The commit that statuses go to. */
export const TARGET = sha('d');

export const announcing: Announcing = {
  repo: {
    id: 1,
    sendBuildStatus: true,
    commentOnPullRequests: true,
    patchStatus: false,
    patchMinimum: null,
    commentMode: 'always',
    coverageStatus: undefined,
  },
  names: serverStatusNames('coverage'),
  formerNames: [],
  inherited: [],
  links,
  terms: USUAL_TERMS,
  hasProvider: true,
};

export const noStatuses: Announcing = { ...announcing, repo: { ...announcing.repo, sendBuildStatus: false } };

/** The build's own context. */
export const own: OpenedContext = { context: 'coverage', flag: undefined };

export const ofFlag = (flag: string, context = `coverage (${flag})`): OpenedContext => ({ context, flag });

/** `state context: description` of each status, in order. */
export const statuses = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ target, content }) =>
    target.kind === 'status' && content.kind === 'status'
      ? [`${content.state} ${target.context}: ${content.description}`]
      : [],
  );

/** The contexts of the statuses, in order. */
export const contexts = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ target }) => (target.kind === 'status' ? [target.context] : []));

export const comments = (messages: readonly Message[]): readonly Message[] =>
  messages.filter((one) => one.target.kind === 'comment');
