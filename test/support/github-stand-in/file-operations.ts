import { createHash } from 'node:crypto';
import type { Answer } from './answer.ts';
import { failure, notFound, Refusal } from './answer.ts';
import { resolveRef } from './history.ts';
import type { RepoRecord } from './model.ts';
import type { Call, Operation } from './operation.ts';
import { paramOf, repoOf } from './operation.ts';
import { htmlUrl, repoUrl } from './present-repo.ts';

export const fileOperations: readonly Operation[] = [
  { method: 'GET', template: '/repos/{owner}/{repo}/contents/{path}', run: readContents },
  { method: 'GET', template: '/repos/{owner}/{repo}/git/blobs/{file_sha}', run: readBlob },
];

/** GitHub: a larger file's contents are left out, and its encoding is `none`. */
const LARGEST = 2 ** 20;

function readContents(call: Call): Answer {
  const repo = repoOf(call);
  const path = paramOf(call, 'path');
  const sha = resolveRef(repo, call.query.get('ref') ?? repo.defaultBranch);
  if (sha === undefined) throw new Refusal(failure(404, `No commit found for the ref ${call.query.get('ref')}`));
  const content = repo.files.get(`${sha}:${path}`);
  if (content !== undefined) return { status: 200, body: presentContents(call, repo, { sha, path, content }) };
  const prefix = `${sha}:${path}/`;
  const inside = [...repo.files].filter(([key]) => key.startsWith(prefix));
  if (inside.length === 0) throw notFound();
  const entries = inside.map(([key, one]) => {
    const {
      encoding: _,
      content: __,
      ...entry
    } = presentContents(call, repo, {
      sha,
      path: key.slice(sha.length + 1),
      content: one,
    });
    return entry;
  });
  return { status: 200, body: entries };
}

function presentContents(
  call: Call,
  repo: RepoRecord,
  { sha, path, content }: { readonly sha: string; readonly path: string; readonly content: Buffer },
) {
  const blob = blobSha(content);
  const place = path.split('/').map(encodeURIComponent).join('/');
  const url = `${repoUrl(call.world, repo)}/contents/${place}?ref=${sha}`;
  const git = `${repoUrl(call.world, repo)}/git/blobs/${blob}`;
  const html = `${htmlUrl(repo)}/blob/${sha}/${place}`;
  const isLarge = content.length > LARGEST;
  return {
    type: 'file',
    encoding: isLarge ? 'none' : 'base64',
    size: content.length,
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    content: isLarge ? '' : inLines(content),
    sha: blob,
    url,
    git_url: git,
    html_url: html,
    download_url: `${html}?raw=true`,
    _links: { self: url, git, html },
  };
}

function readBlob(call: Call): Answer {
  const repo = repoOf(call);
  const sha = paramOf(call, 'file_sha');
  const content = [...repo.files.values()].find((one) => blobSha(one) === sha);
  if (content === undefined) throw notFound();
  const url = `${repoUrl(call.world, repo)}/git/blobs/${sha}`;
  const size = content.length;
  return { status: 200, body: { sha, node_id: sha, size, url, encoding: 'base64', content: inLines(content) } };
}

/** GitHub breaks base64 into lines. */
function inLines(content: Buffer): string {
  return content.toString('base64').replace(/.{60}/g, '$&\n');
}

function blobSha(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}
