import { createHmac } from 'node:crypto';
import type { Delivery } from './github-stand-in/deliveries.ts';

/** GITHUB_WEBHOOK_SECRET of these tests. */
export const HOOK_SECRET = 'webhook-secret-of-the-tests-0123456789';

export interface SendOptions {
  readonly secret?: string;
  /** What is sent in place of the right signature; null: none. */
  readonly signature?: string | null;
  readonly form?: boolean;
}

export interface HookReply {
  readonly status: number;
  readonly json: {
    readonly event?: string;
    readonly outcome?: string;
    readonly effects?: readonly string[];
    readonly message?: string;
  };
}

/** A body as GitHub signs it. */
export function signatureOf(body: string, secret = HOOK_SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Sends a delivery as GitHub's webhook does. */
export function sendDelivery(
  url: string,
  { event, payload, app }: Delivery,
  options: SendOptions = {},
): Promise<HookReply> {
  const json = JSON.stringify(payload);
  const body = options.form === true ? new URLSearchParams({ payload: json }).toString() : json;
  const type = options.form === true ? 'application/x-www-form-urlencoded' : 'application/json';
  return sendBody(url, { event, body, type, app }, options);
}

/** The same with a body of any kind. */
export async function sendBody(
  url: string,
  sent: {
    readonly event: string | undefined;
    readonly body: string;
    readonly type?: string;
    readonly app?: number | undefined;
  },
  { secret, signature }: SendOptions = {},
): Promise<HookReply> {
  const signed = signature === undefined ? signatureOf(sent.body, secret) : signature;
  const answer = await fetch(`${url}/hooks/github`, {
    method: 'POST',
    headers: {
      'content-type': sent.type ?? 'application/json',
      'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
      ...(sent.event === undefined ? {} : { 'x-github-event': sent.event }),
      'x-github-hook-installation-target-type': sent.app === undefined ? 'organization' : 'integration',
      'x-github-hook-installation-target-id': String(sent.app ?? 79),
      ...(signed === null ? {} : { 'x-hub-signature-256': signed }),
    },
    body: sent.body,
  });
  return { status: answer.status, json: (await answer.json()) as HookReply['json'] };
}
