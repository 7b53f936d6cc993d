import { z } from 'zod';
import { REPO_SERVICES } from '../../../core/repo/repo.ts';
import { ALL_SETTINGS } from '../../../core/repo/settings.ts';
import { answeredForm } from '../written-settings.ts';
import { address, count, text, time } from './forms.ts';

const settingsFields = (setAt: 'repo' | undefined) =>
  Object.fromEntries(
    ALL_SETTINGS.filter((setting) => (setting.setAt === 'repo') === (setAt === 'repo')).map((setting) => [
      setting.key,
      answeredForm(setting),
    ]),
  );

const repoFields = {
  service: z.enum(REPO_SERVICES),
  name: text,
  ...settingsFields('repo'),
  created_at: time,
  updated_at: time,
};

export const newRepo = z.object({ repo: z.object({ ...repoFields, id: z.int(), token: text }) });

export const changedRepo = z.object({ repo: z.object(repoFields) });

export const repo = z.object({
  ...repoFields,
  id: z.int(),
  has_badge: z.boolean(),
  token: text.exactOptional(),
  token_last_used_at: time.nullable().exactOptional(),
  token_last_client: text.nullable().exactOptional().meta({ description: 'The name that the client sends.' }),
  badge_token: text.exactOptional(),
  warnings: z.array(text),
});

export const repoList = z.object({
  page: count,
  pages: count,
  total: count,
  repos: z.array(z.object({ ...repoFields, id: z.int(), url: address })),
});

export const webhook = z.object({
  webhook: z.object({ result: z.enum(['made', 'repaired', 'unchanged']), address: text }),
});

export const newToken = z.object({ token: text, old_token_valid_until: time.nullable() });

export const settings = z.object({
  ...settingsFields(undefined),
  effective: z.object({
    default_branches: z.array(text),
    default_branch_from: text,
    visibility: text,
    visibility_from: text,
    accept_forks: z.boolean(),
  }),
});

export const refusedUploads = z.object({
  refused: z.array(
    z.object({
      code: text,
      message: text,
      field: text.nullable(),
      client: text.nullable(),
      count,
      proven: z.boolean(),
      first_at: time,
      last_at: time,
    }),
  ),
});

const memberFields = {
  account: z.int(),
  name: text.nullable(),
  role: z.enum(['reader', 'maintainer']),
  added_by: text,
  added_at: time,
};

export const members = z.object({ members: z.array(z.object(memberFields)) });

export const member = z.object({ member: z.object(memberFields) });

const shareLinkFields = {
  id: z.int(),
  name: text,
  source: z.boolean(),
  created_by: text,
  created_at: time,
  expires_at: time,
};

export const shareLinks = z.object({ share_links: z.array(z.object(shareLinkFields)) });

export const newShareLink = z.object({ share_link: z.object({ ...shareLinkFields, token: text, url: address }) });
