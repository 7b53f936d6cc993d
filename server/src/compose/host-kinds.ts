import { BITBUCKET } from '../hosts/bitbucket/host.ts';
import { BITBUCKET_SERVER } from '../hosts/bitbucket-server/host.ts';
import { FORGEJO, GITEA } from '../hosts/gitea/host.ts';
import { GITHUB } from '../hosts/github/host.ts';
import { GITLAB } from '../hosts/gitlab/host.ts';

/** Every git host that this version knows: a new one is its folder and an entry here. */
export const HOST_KINDS = [GITHUB, GITLAB, GITEA, FORGEJO, BITBUCKET, BITBUCKET_SERVER];
