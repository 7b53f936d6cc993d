import { z } from 'zod';
import { address, text, time } from './forms.ts';

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
