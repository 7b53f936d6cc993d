import type { CommentRecord, RepoRecord, StatusRecord, World } from './model.ts';
import { personOf } from './model.ts';
import { presentApp } from './present-app.ts';
import { htmlUrl, nodeId, presentPerson, repoUrl } from './present-repo.ts';

/** `status`: one commit status. */
export function presentStatus(world: World, repo: RepoRecord, status: StatusRecord): Record<string, unknown> {
  const creator = personOf(world, status.login);
  return { ...presentSimpleStatus(world, repo, status), creator: presentPerson(world, creator) };
}

/** `simple-commit-status`: the form inside a combined status. */
export function presentSimpleStatus(world: World, repo: RepoRecord, status: StatusRecord): Record<string, unknown> {
  return {
    url: `${repoUrl(world, repo)}/statuses/${status.sha}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${personOf(world, status.login).id}?v=4`,
    id: status.id,
    node_id: nodeId('StatusContext', status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.createdAt,
  };
}

/** `issue-comment`: a comment on a pull request's conversation. */
export function presentComment(world: World, repo: RepoRecord, comment: CommentRecord): Record<string, unknown> {
  const base = repoUrl(world, repo);
  return {
    id: comment.id,
    node_id: nodeId('IssueComment', comment.id),
    url: `${base}/issues/comments/${comment.id}`,
    html_url: `${htmlUrl(repo)}/pull/${comment.pullRequest}#issuecomment-${comment.id}`,
    issue_url: `${base}/issues/${comment.pullRequest}`,
    user: presentPerson(world, personOf(world, comment.login)),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: 'CONTRIBUTOR',
    performed_via_github_app: comment.app ? presentApp(world, comment.app) : null,
  };
}
