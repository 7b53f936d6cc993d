import { FILE_PLACES, MAX_FILE_BYTES } from '@coverage/shared/coverage-file/declared';
import { z } from 'zod';
import { MAX_EXPECTED_JOBS } from '../../core/builds/expected-jobs.ts';
import * as answers from '../../platform/http/openapi/answers.ts';
import type { Operation, Parameter } from '../../platform/http/openapi/operation.ts';

const text = z.string().nullable().optional();

/** The body of an upload. It is checked as it is scanned, so this only describes it (docs/wire.md says all of it). */
const jobBody = z
  .looseObject({
    repo_token: text.meta({
      description:
        "The repo's token, an ID token of a run, or a host's token with `repo_name`. Absent for a run without " +
        "secrets, such as a fork's.",
    }),
    repo_name: text,
    service_name: text,
    service_number: text,
    service_job_id: text,
    service_pull_request: text,
    service_branch: text,
    commit_sha: text,
    flag_name: text,
    parallel: z.boolean().optional(),
    expected_jobs: z.int().min(1).max(MAX_EXPECTED_JOBS).nullable().optional(),
    coverage_yml: z
      .looseObject({ path: z.enum(FILE_PLACES), text: z.string().max(MAX_FILE_BYTES) })
      .nullable()
      .optional()
      .meta({
        description:
          "The repo's own file at the tested commit, null for none. Read only if the server has no git host to ask.",
      }),
    source_files: z.array(
      z.looseObject({
        name: z.string(),
        coverage: z.array(z.int().min(0).nullable()),
        branches: z.array(z.int()).optional(),
        source_digest: z.string().nullable().optional(),
        source: z.string().nullable().optional(),
      }),
    ),
  })
  .meta({ description: 'A job of the Coveralls API; also as the form field or file `json_file`, also compressed.' });

const closeBody = z.looseObject({
  carryforward: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({ description: 'Flags to carry forward: a list, or names separated by commas, or `all`.' }),
  payload: z.looseObject({
    build_num: z.union([z.string(), z.int()]).optional(),
    status: z.literal('done').optional(),
  }),
});

const previewBody = z.string().meta({
  description:
    'One JSON object per line: first the question (`head_sha`, `merge_base_sha`, `base_branch`, `branch`, ' +
    '`ancestors`, `pull_request`, `tested_at_merge`, `carryforward`, `coverage_yml`, `diffs`), then one to 100 jobs, ' +
    'each as an upload sends it.',
});

const TOKEN: Parameter = {
  name: 'repo_token',
  description: "The repo's token. Send it in the Authorization header instead if you can.",
};
const NAME: Parameter = {
  name: 'repo_name',
  description: 'With a token of the git host, or a run without secrets: the repo it is for.',
};

export const UPLOAD_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/v1/jobs',
    id: 'uploadJob',
    group: 'Uploads',
    summary: 'Upload the coverage of one job',
    description:
      'The response is sent after the job is stored and synced to disk. ' +
      'If you send the same upload twice, it is stored once.',
    access: 'uploader',
    body: jobBody,
    answer: { status: 200, schema: answers.acceptedJob },
    failures: [408, 413, 422, 429],
  },
  {
    method: 'post',
    path: '/api/v1/preview',
    id: 'previewPullRequest',
    group: 'Uploads',
    summary: 'The verdict that a pull request will get',
    description: 'Judged by the same rules as a build that closes. Nothing is stored, and nothing is announced.',
    access: 'reader',
    query: [{ name: 'repo', description: 'With a personal token: `<service>/<owner>/<name>`.' }],
    body: previewBody,
    bodyType: 'application/x-ndjson',
    answer: { status: 200, schema: answers.preview },
    failures: [401, 403, 404, 408, 413, 422, 429],
  },
  {
    method: 'get',
    path: '/api/v1/upload-settings',
    id: 'readUploadSettings',
    group: 'Uploads',
    summary: 'What clients should send for the repo of this token',
    access: 'reader',
    answer: { status: 200, schema: answers.uploadSettings },
    failures: [401, 422],
  },
  {
    method: 'post',
    path: '/api/v1/config/validate',
    id: 'validateConfig',
    group: 'Uploads',
    summary: 'Check a coverage.yml',
    access: 'reader',
    body: z.string().meta({ description: 'The file, at most 64 KiB.' }),
    bodyType: 'application/yaml',
    answer: { status: 200, schema: answers.checkedFile },
    failures: [401, 408, 413],
  },
  {
    method: 'get',
    path: '/coverage.schema.json',
    id: 'readConfigSchema',
    group: 'Uploads',
    summary: 'The JSON Schema of coverage.yml',
    access: 'anyone',
    answer: { status: 200, type: 'application/schema+json' },
  },
  {
    method: 'post',
    path: '/webhook',
    id: 'closeBuild',
    group: 'Uploads',
    summary: 'Close a parallel build',
    access: 'uploader',
    query: [
      TOKEN,
      NAME,
      { name: 'carryforward', description: 'Flags to carry forward, separated by commas, or `all`.' },
    ],
    body: closeBody,
    answer: { status: 200, schema: answers.acceptedClose },
    failures: [408, 422, 429],
  },
  {
    method: 'post',
    path: '/rerun_build',
    id: 'rerunBuild',
    group: 'Uploads',
    summary: 'Recalculate a closed build',
    access: 'uploader',
    query: [TOKEN, NAME, { name: 'build_num', description: 'Which build, as for a close.' }],
    answer: { status: 200, schema: answers.acceptedClose },
    failures: [422],
  },
];
