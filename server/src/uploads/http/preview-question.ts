import { FILE_PLACES, MAX_FILE_BYTES } from '@coverage/shared/coverage-file';
import { z } from 'zod';
import { readCarryforward } from '../../closing/http/close-fields.ts';
import { Failure } from '../../core/failure.ts';
import { FIRST_PARENT_LIMIT } from '../../ports/provider-facts.ts';
import type { IngestedPreview } from '../../reports/ingest/ingest-preview.ts';
import type { PreviewQuestion } from '../preview-question.ts';

const SHA_FORM = 'must be a whole commit sha: 40 or 64 hexadecimal digits';

const PULL_REQUEST_FORM = "must be a pull request's number";

const MAX_TEXT = 1_000;

const sha = z
  .string({ error: SHA_FORM })
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i, SHA_FORM)
  .transform((text) => text.toLowerCase());

const text = z
  .string({ error: 'must be a text' })
  .transform((value) => value.trim().slice(0, MAX_TEXT).toWellFormed() || undefined);

const ANCESTORS_FORM = `must be an array of at most ${FIRST_PARENT_LIMIT} whole commit shas`;

const FILE_PATHS = FILE_PLACES.join(' or ');
const FILE_FORM = `must be null, or a path (${FILE_PATHS}) and a text of at most ${MAX_FILE_BYTES} characters`;

const file = z
  .object(
    { path: z.enum(FILE_PLACES, FILE_FORM), text: z.string(FILE_FORM).max(MAX_FILE_BYTES, FILE_FORM) },
    { error: FILE_FORM },
  )
  .nullable()
  .optional();

const schema = z.object({
  head_sha: sha,
  branch: text.nullish(),
  base_branch: text.nullish(),
  merge_base_sha: sha.nullish(),
  ancestors: z.array(sha, { error: ANCESTORS_FORM }).max(FIRST_PARENT_LIMIT, ANCESTORS_FORM).nullish(),
  pull_request: z.int({ error: PULL_REQUEST_FORM }).positive(PULL_REQUEST_FORM).nullish(),
  tested_at_merge: z.boolean({ error: 'must be true or false' }).nullish(),
  carryforward: z.unknown().optional(),
  coverage_yml: z.object({ base: file, head: file }, { error: 'must be an object with base and head' }).nullish(),
});

/** Checks a question. Throws a Failure `payload-invalid` that names the first field that does not fit. */
export function readQuestion(question: IngestedPreview['question']): PreviewQuestion {
  const checked = schema.safeParse(question);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const field = issue?.path.join('.') ?? '';
    throw new Failure('payload-invalid', `${field} ${issue?.message}.`, { field });
  }
  const { data } = checked;
  return {
    head: data.head_sha,
    branch: data.branch ?? undefined,
    baseBranch: data.base_branch ?? undefined,
    mergeBase: data.merge_base_sha ?? undefined,
    ancestors: data.ancestors ?? undefined,
    pullRequest: data.pull_request ?? undefined,
    testedAtMerge: data.tested_at_merge ?? undefined,
    carryforward: readCarryforward(data.carryforward),
    files: { base: data.coverage_yml?.base, head: data.coverage_yml?.head },
  };
}
