// Fails if no test names a sentence that a person can meet. With --list it prints all of them, by file and line.
import { findUntested, readSourceTexts, sentencesOf } from '../test/support/repo-checks/sentences.ts';

/** By source, how sentences begin that no test has brought about yet. */
const UNTESTED: Readonly<Record<string, readonly string[]>> = {
  'action/src/api/trust-authorities.ts': ['Input ca-file needs a runner'],
  'action/src/command/check.ts': ['Reports of two flags.'],
  'action/src/command/completions.ts': ['For every new bash.', 'For zsh, where fpath has'],
  'action/src/command/doctor.ts': ['The findings for a program.'],
  'action/src/command/help.ts': ['Coverage reports: upload them, look'],
  'action/src/command/local-pull.ts': ['Neither origin nor this clone'],
  'action/src/command/merge.ts': [
    'Two reports as one LCOV',
    'All reports below this folder',
    'JaCoCo as LCOV, by the',
    'A Go cover profile as',
    'The ending of {} says',
    '{} cannot be written: {}.',
  ],
  'action/src/command/migrate.ts': ['Change the workflows to that'],
  'action/src/command/migrate/clients-in-commands.ts': ['Set config :excoveralls, endpoint: "<address>"'],
  'action/src/command/migrate/show-migration.ts': ['{} files were changed.'],
  'action/src/command/migrate/step-inputs.ts': ['The input {} is called'],
  'action/src/command/report.ts': ['Upload one report to this', 'Never break a build because'],
  'action/src/command/settings.ts': ['No coverage server is named.', '{} uses aliases of YAML,'],
  'action/src/command/show.ts': ['The totals for a program.'],
  'action/src/report/find-reports.ts': ['Not taken: {} ({}): its'],
  'action/src/report/source-files.ts': ['Several files fit {} too.'],
  'server/src/access/ask-host.ts': ['It did not answer.'],
  'server/src/access/uploaders/fork-uploaders.ts': [
    'Whoever administers it can change',
    'The operator can set {}.',
    'The operator can check this',
  ],
  'server/src/access/uploaders/repo-of-token.ts': ['On {} {} with repo_name'],
  'server/src/access/uploaders/verify-fork-run.ts': ['Send {} as service_number (on'],
  'server/src/announcing/lease.ts': ['The lease of the delivery'],
  'server/src/cli/command/find-repo.ts': ['Several repos have that name.'],
  'server/src/cli/command/read-password.ts': ['Standard input holds no password.'],
  'server/src/cli/doctor.ts': ['This command takes no {}.'],
  'server/src/cli/erasure-receipt.ts': ['Source texts, file paths, branch'],
  'server/src/cli/export.ts': ['{} left out, since open.'],
  'server/src/cli/repos-file/repos-command.ts': ['{} cannot be read: {}.'],
  'server/src/cli/repos-file/token-file.ts': ['{} exists already and may'],
  'server/src/cli/rotate.ts': ['Are the old tokens to'],
  'server/src/cli/token.ts': ['Token {} is revoked.'],
  'server/src/cli/user.ts': [
    '{} has another password, and',
    '{} is disabled, and signed',
    '{} is an administrator.',
    '{} is no administrator.',
    'Say whose account it is:',
    'Changed: {} and {}.',
  ],
  'server/src/config/messages.ts': ['Line {} of {} is'],
  'server/src/core/repo/fork-run.ts': ['Have it approved first.'],
  'server/src/hosts/github/snippets.ts': ['As `coverage.yml` among the repo’s', 'Several jobs? Add `parallel: true`'],
  'server/src/hosts/gitlab/messages.ts': ['A project of GitLab must', 'Too many writes to GitLab'],
  'server/src/hosts/gitlab/snippets.ts': ['Into `.gitlab-ci.yml`. Put your own', 'Several jobs? Add `--parallel` to'],
  'server/src/operations/check-base-url.ts': ['{} leads elsewhere: {}.'],
  'server/src/operations/check-openid.ts': ['Check OIDC_ISSUER, and that this'],
  'server/src/operations/examine-server.ts': [
    "See the server's log.",
    'Change these environment variables, and',
    'No answer came within {}',
  ],
  'server/src/operations/host-checks.ts': [
    '{} did not answer.',
    '{} answers at {}, {}.',
    'These accounts have not accepted',
    '{} names no limit of',
    '{} has no webhook here.',
    "Set the secret of {}'s",
    'The clock agrees with that',
    '{} waiting{}; {} given up.',
  ],
  'server/src/operations/sentences.ts': ['Not looked at, since the', 'Start the server; if it'],
  'server/src/operations/store-checks.ts': [
    'Make space on the disk',
    '{} has version {} of',
    'See GET /api/v1/builds/set-aside and the',
    '{} due{}; {} put off',
  ],
  'server/src/people/account-tokens.ts': ['A token’s name has 1', 'You have no token {}.'],
  'server/src/people/change-password.ts': ['You sign in elsewhere, and'],
  'server/src/people/http/account-routes.ts': ['The token was revoked.'],
  'server/src/people/http/sentences.ts': ['{} must be {}, not'],
  'server/src/people/http/sign-in-routes.ts': ['Nobody signs in here with'],
  'server/src/people/manage-accounts.ts': ['There is an account {}'],
  'server/src/people/openid/openid-provider.ts': ['The provider answered no id'],
  'server/src/people/sign-in-elsewhere.ts': ['Nobody signs in here this', 'This sign-in was not begun'],
  'server/src/platform/http/checked-fields.ts': ['Of the read answer; ignored.'],
  'server/src/platform/http/metrics-server.ts': ['Only GET /metrics is here.'],
  'server/src/platform/http/small-bodies.ts': ['The Content-Encoding is unknown; send'],
  'server/src/reports/codec/byte-reader.ts': ['A stored report is damaged:'],
  'server/src/reports/ingest/content-encoding.ts': ['Content-Encoding names {} layers; at'],
  'server/src/reports/ingest/envelope.ts': ['{} has {} characters, of'],
  'server/src/reports/ingest/job-checker.ts': ['{} is missing; give the', '{} must have at most'],
  'server/src/reports/threads/read-stored.ts': ['A stored source text cannot'],
  'server/src/repos/http/home-routes.ts': ['This coverage service speaks the'],
  'server/src/repos/http/settings-pages.ts': ['Nothing was removed: type {}'],
  'server/src/repos/read-upload-settings.ts': ['This needs a repo token:'],
  'server/src/storage/mongo/archive-preparation.ts': ['A repo is being imported'],
  'server/src/storage/mongo/errors.ts': ['MongoDB refuses the user or', 'The disk of MongoDB is'],
  'server/src/storage/sqlite/repo-transfers.ts': ['Another import took the id'],
  'server/src/storage/sqlite/table.ts': ['LIMIT ? OFFSET ?'],
  'server/src/webhooks/recognise-repo.ts': ['The name {} now means'],
  'server/src/wording/annotations.ts': ['Tests cover {} of {}.'],
  'server/src/wording/comment-verdict.ts': ['The change must {}.'],
  'server/src/wording/page-verdict.ts': ['All {}{} are covered.'],
};

const texts = readSourceTexts();
const sentences = sentencesOf(texts);
if (process.argv.includes('--list'))
  for (const { file, line, text } of sentences) console.log(`${file}:${line}: ${text}`);
const untested = findUntested(sentences);
const known = ({ file, text }: (typeof untested)[number]): boolean =>
  UNTESTED[file]?.some((start) => text.trimStart().startsWith(start)) ?? false;
const found = untested.filter((one) => !known(one));
for (const { file, line, text } of found) console.error(`${file}:${line}: ${JSON.stringify(text)}`);
console.log(`messages: ${sentences.length} sentences in ${texts.length} texts, ${untested.length} that no test names`);
if (sentences.length < 500 || found.length > 0) process.exitCode = 1;
