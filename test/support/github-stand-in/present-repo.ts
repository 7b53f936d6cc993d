import type { Caller, Person, RepoRecord, World } from './model.ts';
import { personOf } from './model.ts';
import { covers } from './operation.ts';

/** An opaque id in the form of GitHub's old ones. */
export function nodeId(type: string, id: number | string): string {
  return Buffer.from(`0${type.length}:${type}${id}`).toString('base64');
}

/** The API address of a repo. */
export function repoUrl(world: World, repo: RepoRecord): string {
  return `${world.apiUrl}/repos/${repo.owner}/${repo.name}`;
}

/** The web address of a repo: the real host, as the links in real answers are. */
export function htmlUrl(repo: RepoRecord): string {
  return `https://github.com/${repo.owner}/${repo.name}`;
}

/** `simple-user` of GitHub's description. */
export function presentPerson(world: World, person: Person): Record<string, unknown> {
  const url = `${world.apiUrl}/users/${encodeURIComponent(person.login)}`;
  return {
    login: person.login,
    id: person.id,
    node_id: nodeId('User', person.id),
    avatar_url: `https://avatars.githubusercontent.com/u/${person.id}?v=4`,
    gravatar_id: '',
    url,
    html_url: `https://github.com/${encodeURIComponent(person.login)}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: person.type,
    site_admin: false,
  };
}

/** The public profile that GET /user answers. */
export function presentSelf(world: World, person: Person): Record<string, unknown> {
  const empty = { name: null, company: null, blog: '', location: null, email: null, hireable: null, bio: null };
  const counts = { public_repos: 1, public_gists: 0, followers: 0, following: 0 };
  const dates = { created_at: '2020-01-01T00:00:00Z', updated_at: '2020-01-01T00:00:00Z' };
  return { ...presentPerson(world, person), ...empty, ...counts, ...dates, user_view_type: 'public' };
}

/** The addresses of a repo that hold their own key's name without `_url` as last part, or the part given here. */
const repoLinks: Readonly<Record<string, string>> = {
  archive: '{archive_format}{/ref}',
  assignees: 'assignees{/user}',
  blobs: 'git/blobs{/sha}',
  branches: 'branches{/branch}',
  collaborators: 'collaborators{/collaborator}',
  comments: 'comments{/number}',
  commits: 'commits{/sha}',
  compare: 'compare/{base}...{head}',
  contents: 'contents/{+path}',
  contributors: 'contributors',
  deployments: 'deployments',
  downloads: 'downloads',
  events: 'events',
  forks: 'forks',
  git_commits: 'git/commits{/sha}',
  git_refs: 'git/refs{/sha}',
  git_tags: 'git/tags{/sha}',
  hooks: 'hooks',
  issue_comment: 'issues/comments{/number}',
  issue_events: 'issues/events{/number}',
  issues: 'issues{/number}',
  keys: 'keys{/key_id}',
  labels: 'labels{/name}',
  languages: 'languages',
  merges: 'merges',
  milestones: 'milestones{/number}',
  notifications: 'notifications{?since,all,participating}',
  pulls: 'pulls{/number}',
  releases: 'releases{/id}',
  stargazers: 'stargazers',
  statuses: 'statuses/{sha}',
  subscribers: 'subscribers',
  subscription: 'subscription',
  tags: 'tags',
  teams: 'teams',
  trees: 'git/trees{/sha}',
};

/** `minimal-repository`: the part that every answer with a repo holds. */
export function presentMinimalRepo(world: World, repo: RepoRecord): Record<string, unknown> {
  const url = repoUrl(world, repo);
  const links = Object.entries(repoLinks).map(([key, rest]) => [`${key}_url`, `${url}/${rest}`] as const);
  return {
    id: repo.id,
    node_id: nodeId('Repository', repo.id),
    name: repo.name,
    full_name: `${repo.owner}/${repo.name}`,
    private: repo.private,
    owner: presentPerson(world, personOf(world, repo.owner)),
    html_url: htmlUrl(repo),
    description: null,
    fork: repo.parent !== undefined,
    url,
    ...Object.fromEntries(links),
  };
}

/** `full-repository`, as GET /repos/{owner}/{repo} answers and pull requests embed it. */
export function presentRepo(world: World, repo: RepoRecord): Record<string, unknown> {
  const html = htmlUrl(repo);
  const zeroes = [
    'forks',
    'open_issues',
    'watchers',
    'forks_count',
    'open_issues_count',
    'stargazers_count',
    'watchers_count',
  ];
  return {
    ...presentMinimalRepo(world, repo),
    ...Object.fromEntries([...zeroes, 'network_count', 'subscribers_count', 'size'].map((key) => [key, 0])),
    clone_url: `${html}.git`,
    git_url: html.replace('https:', 'git:'),
    ssh_url: `git@github.com:${repo.owner}/${repo.name}.git`,
    svn_url: html,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    default_branch: repo.defaultBranch,
    visibility: repo.private ? 'private' : 'public',
    has_issues: true,
    has_projects: false,
    has_downloads: true,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    archived: false,
    disabled: false,
    topics: [],
    permissions: { admin: false, maintain: false, push: true, triage: true, pull: true },
    created_at: repo.createdAt,
    updated_at: repo.createdAt,
    pushed_at: repo.createdAt,
  };
}

/** What a token's person may do in a repo; an installation is nobody, so all of it is false for one. */
export function permissionsOf(caller: Caller, repo: RepoRecord): Record<string, boolean> {
  const levels = ['pull', 'triage', 'push', 'maintain', 'admin'] as const;
  if (caller.permissions !== undefined) {
    const held = caller.permissions[`${repo.owner}/${repo.name}`] ?? 'pull';
    return Object.fromEntries(levels.map((level, place) => [level, place <= levels.indexOf(held)]));
  }
  const push = caller.kind === 'user' && caller.access === 'write' && covers(caller, repo);
  return { admin: false, maintain: false, push, triage: push, pull: caller.kind === 'user' };
}
