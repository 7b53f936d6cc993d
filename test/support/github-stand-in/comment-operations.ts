import type { Answer } from './answer.ts';
import { failure, notFound, pageOf, Refusal, validationFailed } from './answer.ts';
import type { CommentRecord, RepoRecord } from './model.ts';
import { timestamp } from './model.ts';
import type { Call, Operation } from './operation.ts';
import { paramOf, pullRequestOf, repoOf, requireWrite } from './operation.ts';
import { presentComment } from './present-announcement.ts';
import { addComment } from './set-up.ts';

/** In characters, not bytes. */
const maxBody = 65_536;

export const commentOperations: readonly Operation[] = [
  { method: 'POST', template: '/repos/{owner}/{repo}/issues/{issue_number}/comments', run: createComment },
  { method: 'GET', template: '/repos/{owner}/{repo}/issues/{issue_number}/comments', run: listComments },
  { method: 'GET', template: '/repos/{owner}/{repo}/issues/comments/{comment_id}', run: readComment },
  { method: 'PATCH', template: '/repos/{owner}/{repo}/issues/comments/{comment_id}', run: updateComment },
  { method: 'DELETE', template: '/repos/{owner}/{repo}/issues/comments/{comment_id}', run: deleteComment },
];

function createComment(call: Call): Answer {
  const repo = repoOf(call);
  const pullRequest = pullRequestOf(repo, paramOf(call, 'issue_number'));
  requireWrite(call);
  if (pullRequest.locked) throw new Refusal(failure(403, 'Unable to create comment because issue is locked.'));
  const body = checkedBody(call);
  const comment = addComment(call.world, repo, {
    pullRequest: pullRequest.number,
    login: call.caller.login,
    body,
    app: call.caller.app,
  });
  const shown = presentComment(call.world, repo, comment);
  return { status: 201, body: shown, headers: { location: String(shown.url) } };
}

function listComments(call: Call): Answer {
  const repo = repoOf(call);
  const { number } = pullRequestOf(repo, paramOf(call, 'issue_number'));
  const since = Date.parse(call.query.get('since') ?? '1970-01-01');
  const comments = [...repo.comments.values()].filter(
    (comment) => comment.pullRequest === number && Date.parse(comment.updatedAt) >= since,
  );
  const page = pageOf(comments, call.query, call.address);
  return {
    status: 200,
    body: page.items.map((comment) => presentComment(call.world, repo, comment)),
    headers: page.headers,
  };
}

function readComment(call: Call): Answer {
  const repo = repoOf(call);
  return { status: 200, body: presentComment(call.world, repo, commentOf(call, repo)) };
}

function updateComment(call: Call): Answer {
  const repo = repoOf(call);
  const comment = commentOf(call, repo);
  requireOwn(call, comment);
  const updatedAt = timestamp(call.world.now());
  const edited: CommentRecord = { ...comment, body: checkedBody(call), updatedAt, edits: comment.edits + 1 };
  repo.comments.set(edited.id, edited);
  return { status: 200, body: presentComment(call.world, repo, edited) };
}

function deleteComment(call: Call): Answer {
  const repo = repoOf(call);
  const comment = commentOf(call, repo);
  requireOwn(call, comment);
  repo.comments.delete(comment.id);
  return { status: 204 };
}

function commentOf(call: Call, repo: RepoRecord): CommentRecord {
  const comment = repo.comments.get(Number(paramOf(call, 'comment_id')));
  if (!comment) throw notFound();
  return comment;
}

/** Maintainers may edit anybody's comment; the stand-in is stricter, so that editing a stranger's shows. */
function requireOwn(call: Call, comment: CommentRecord): void {
  requireWrite(call);
  if (comment.login === call.caller.login) return;
  throw new Refusal(failure(403, 'Must have admin rights to Repository.'));
}

function checkedBody(call: Call): string {
  const body = String(call.body.body);
  const refuse = (message: string): never => {
    throw validationFailed({ resource: 'IssueComment', code: 'unprocessable', field: 'data', message });
  };
  if (body.trim() === '') refuse('Body cannot be blank');
  if ([...body].length > maxBody) refuse(`Body is too long (maximum is ${maxBody} characters)`);
  return body;
}
