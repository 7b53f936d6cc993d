import { z } from 'zod';
import { Failure, quoteValue } from '../../core/failure.ts';
import { findNameProblem } from '../../core/repo/repo-name.ts';
import type { EventRepo } from '../../ports/provider-events.ts';
import { isCommitSha } from '../answers.ts';
import * as say from './messages.ts';

/**
 * What each event of GitHub's must hold for us: no more is looked at (docs.github.com, "Webhook events and payloads").
 */

const MAX_TEXT = 1_000;
/** For lists: more than any event that matters has. */
const MAX_LISTED = 5_000;

/** Says of a value of a different form what it must be, and what came. */
const wrong = (form: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    say.fieldWrong(form, input === undefined ? 'missing' : quoteValue(input)),
});

const must = <T>(form: string, fits: (value: unknown) => value is T) => z.custom<T>(fits, wrong(form));
const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape, wrong(say.OBJECT_FORM));
const list = <Entry extends z.ZodType>(entry: Entry) =>
  z.array(entry, wrong('a list')).max(MAX_LISTED, { error: say.tooManyEntries(MAX_LISTED) });

/** The same where the list may be cut: an owner's repos are concerned by their owner's name too. */
const shortList = <Entry extends z.ZodType>(entry: Entry) =>
  z.preprocess((value) => (Array.isArray(value) ? value.slice(0, MAX_LISTED) : value), list(entry).nullish());

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT;
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

const text = must(say.textForm(MAX_TEXT), isText);
const whole = must(say.NUMBER_FORM, isWhole);
const id = whole.transform(String);
const sha = must(say.SHA_FORM, (value): value is string => isText(value) && isCommitSha(value)).transform((one) =>
  one.toLowerCase(),
);
const yesNo = must(say.SWITCH_FORM, (value): value is boolean => typeof value === 'boolean');
const repoName = must(
  '<owner>/<name>',
  (value): value is string => isText(value) && findNameProblem('github', value) === undefined,
);

const holder = object({ id }).nullish();

/** What an event says of its repo. What only tells old news from new may lack. */
const repository = object({
  id,
  full_name: repoName,
  private: yesNo.optional(),
  default_branch: text.nullish(),
  updated_at: z.unknown().optional(),
});

const login = object({ login: text }).nullish();

/** Whose App may go where. An Enterprise's account has no login, and no repos of its own. */
const installation = object({
  id: whole,
  app_id: whole,
  repository_selection: z.unknown().optional(),
  account: object({ login: text.optional() }).nullish(),
}).nullish();

export const PAYLOADS = {
  pullRequest: object({
    repository,
    changes: object({ base: z.unknown().optional() }).nullish(),
    pull_request: object({
      number: whole,
      state: must(say.STATE_FORM, (value): value is 'open' | 'closed' => value === 'open' || value === 'closed'),
      merged: yesNo.nullish(),
      merge_commit_sha: sha.nullish(),
      head: object({ sha, repo: holder }),
      base: object({ ref: text, repo: holder }),
    }),
  }),
  push: object({ repository, ref: text, after: sha, deleted: yesNo.nullish() }),
  workflowRun: object({
    repository,
    workflow_run: object({
      id,
      run_attempt: whole.nullish(),
      workflow_id: id,
      head_sha: sha,
      head_branch: text.nullish(),
      head_repository: holder,
      event: text,
      conclusion: z.unknown().optional(),
      html_url: z.unknown().optional(),
      pull_requests: list(
        object({ number: whole, head: object({ sha }), base: object({ ref: text, repo: object({ id }) }) }).nullable(),
      ).nullish(),
    }),
  }),
  repository: object({
    repository,
    changes: object({
      repository: object({ name: object({ from: text }).nullish() }).nullish(),
      owner: object({ from: object({ user: login, organization: login }).nullish() }).nullish(),
    }).nullish(),
  }),
  installation: object({ installation, repositories: shortList(repository) }),
  installationRepositories: object({
    installation,
    repositories_added: shortList(repository),
    repositories_removed: shortList(repository),
  }),
  installationTarget: object({
    account: object({ login: text.optional() }),
    changes: object({ login: object({ from: text }).nullish() }).nullish(),
  }),
} as const;

/** A repo of a payload in the words of core. */
export function toEventRepo({
  id,
  full_name: name,
  private: hidden,
  default_branch: branch,
  updated_at,
}: z.output<typeof repository>): EventRepo {
  const changedAt = typeof updated_at === 'string' ? Date.parse(updated_at) : Number.NaN;
  const isDescribed = hidden !== undefined && typeof branch === 'string' && !Number.isNaN(changedAt);
  const described = isDescribed
    ? { defaultBranch: branch, visibility: hidden ? ('private' as const) : ('public' as const), changedAt }
    : undefined;
  return { id, name, described };
}

/**
 * The fields of an event. Throws a Failure `payload-invalid` that names the first one that does not fit, with the value
 * seen.
 */
export function checkPayload<Schema extends z.ZodType>(
  schema: Schema,
  payload: unknown,
  event: string,
): z.output<Schema> {
  const checked = schema.safeParse(payload);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const field = (issue?.path ?? []).join('.');
  const sentence = say.payloadWrong({
    event,
    field,
    problem: issue?.message,
  });
  throw new Failure('payload-invalid', sentence, { field });
}
