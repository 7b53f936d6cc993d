// Fails on words of the server that a user can meet outside its message catalogues (docs/architecture/messages.md).
import { findStrayMessages } from './stray-messages.ts';

/** By source, how texts begin that nobody reads as a message: lines of the log, syntax, headers, bugs. */
const NO_MESSAGES = {
  'server/src/closing/closing-worker.ts': ['a build could not be'],
  'server/src/core/coverage/merge.ts': ['mergeFiles needs'],
  'server/src/hosts/facts/ask-provider.ts': ['the provider refuses', 'the provider gave'],
  'server/src/hosts/facts/deadline.ts': ['no answer within'],
  'server/src/platform/http/metrics-server.ts': ['text/plain; '],
  'server/src/platform/http/answer-failures.ts': ['token realm', 'application/json; '],
  'server/src/platform/http/answer-parser-errors.ts': ['Content-Type: ', 'Connection: '],
  'server/src/platform/http/protect-answers.ts': ['default-src '],
  'server/src/platform/http/send-pieces.ts': ['text/html; '],
  'server/src/platform/http/cookies.ts': ['Path={}; '],
  'server/src/access/browser/forms.ts': ['no form was taken'],
  'server/src/builds/http/badges-routes.ts': ['default-src ', 'image/svg+xml; '],
  'server/src/platform/http/command-file-routes.ts': ['text/javascript; ', 'text/plain; '],
  'server/src/repos/http/repo-pages-routes.ts': ['text/csv; '],
  'server/src/announcing/deliverer.ts': ['A {} cannot be delivered'],
  'server/src/announcing/lease.ts': ['The lease of the delivery'],
  'server/src/hosts/github/bounded-calls.ts': ['time limit'],
  'server/src/reports/codec/chunk-streams.ts': ['the stream of'],
  'server/src/reports/codec/container.ts': ['the head', 'the directory of'],
  'server/src/reports/codec/file-table.ts': ['the table of'],
  'server/src/platform/secrets/sealing.ts': ['repo-token ', 'text seal'],
  'server/src/storage/mongo/errors.ts': ['Mongo'],
  'server/src/storage/mongo/job-rows.ts': ['job {} of build {} has no report'],
  'server/src/storage/sqlite/build-views.ts': ['passes, '],
  'server/src/storage/sqlite/repo-tokens.ts': ['id, repo_id'],
  'server/src/people/sign-in-elsewhere.ts': ['The account went'],
  'server/src/repos/read-repo.ts': ['Repo {} has no token'],
} as const;

const { files, texts, stray, unused } = findStrayMessages(NO_MESSAGES);
for (const { file, line, text } of stray) console.error(`${file}:${line}: ${JSON.stringify(text)}`);
for (const entry of unused) console.error(`allowed, but not there any more: ${entry}`);
console.log(`messages: ${texts} texts in ${files} sources, ${stray.length} outside the catalogues`);
if (files < 300 || texts < 2_000) console.error('Too few sources or texts were seen: look at the parser.');
if (files < 300 || texts < 2_000 || stray.length > 0 || unused.length > 0) process.exitCode = 1;
