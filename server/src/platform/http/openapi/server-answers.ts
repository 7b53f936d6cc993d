import type { FailureAnswer } from '@coverage/shared';
import { z } from 'zod';
import { AUDIT_ACTIONS } from '../../../core/repo/audit.ts';
import { address, count, id, text, time } from './forms.ts';

export const failure = z.object({
  message: text.meta({ description: 'What happened and what to do.' }),
  error: z.literal(true),
}) satisfies z.ZodType<FailureAnswer>;

export const eventOutcome = z.object({
  event: text,
  outcome: z.enum(['heard', 'unknown-repo', 'ignored']),
  effects: z.array(z.unknown()),
});

export const health = z.object({ status: z.literal('ok') });

export const liveness = health.extend({
  identity: text.exactOptional().meta({ description: 'With `?identity`; the same for all instances of this server.' }),
});

const examination = z.object({
  status: z.enum(['ok', 'warning', 'failed']).meta({ description: 'The worst of the checks.' }),
  checks: z.array(
    z.object({
      name: text,
      state: z.enum(['ok', 'warning', 'failed', 'skipped']),
      seen: text,
      remedy: text.nullable().meta({ description: 'What to do.' }),
    }),
  ),
});

export const readiness = z.union([health, examination]);

export const welcome = z.object({ message: text, url: address });

const auditAccount = z.object({ id: z.int(), issuer: text.nullable(), subject: text.nullable() });

export const auditEntry = z.object({
  id: z.int(),
  at: time,
  action: z.enum(AUDIT_ACTIONS),
  by: z.object({
    kind: z.enum(['account', 'token', 'admin-token', 'command-line', 'repo-token', 'provider', 'unknown']),
    account: auditAccount.nullable().meta({ description: 'Without issuer and subject after the person was erased.' }),
    token_id: z.int().nullable(),
    service: text.nullable(),
  }),
  address: text.nullable().meta({ description: 'The IP address that this server sees behind its trusted proxies.' }),
  repo: z.object({ id: z.int(), name: text }).nullable(),
  build_id: id.nullable(),
  account: auditAccount.nullable(),
  token_id: z.int().nullable(),
  share_link_id: z.int().nullable(),
  before: z.looseObject({}).nullable(),
  after: z.looseObject({}).nullable(),
  omitted_before: count.meta({ description: 'Sign-ins before this one that were not logged.' }),
  confirmed: z
    .boolean()
    .meta({ description: 'If false, the entry was written, but the change may not have been made.' }),
});

export const auditPage = z.object({ entries: z.array(auditEntry), next_before: z.int().nullable() });
