import { createHash } from 'node:crypto';
import type { RestAnswer } from '../rest-stand-in/rest-server.ts';

/** The codes that browsers come back with, and what they are given for: one use each. */
export interface Grants {
  /** Follows the browser: answers where it is sent back to. */
  authorize(address: string, token: string): string;
  exchange(text: string): RestAnswer;
}

export function createGrants(): Grants {
  const grants = new Map<string, { token: string; challenge: string | undefined; redirectUri: string }>();
  let next = 1;
  return {
    authorize(address, token) {
      const { searchParams } = new URL(address);
      const code = `code-${next++}`;
      const redirectUri = searchParams.get('redirect_uri') ?? '';
      grants.set(code, { token, challenge: searchParams.get('code_challenge') ?? undefined, redirectUri });
      return `${redirectUri}?${new URLSearchParams({ code, state: searchParams.get('state') ?? '' })}`;
    },
    exchange(text) {
      const form = new URLSearchParams(text);
      const key = form.get('code') ?? form.get('refresh_token') ?? '';
      const grant = grants.get(key);
      const verifier = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const isWrong = grant?.challenge !== undefined && grant.challenge !== verifier;
      if (
        grant === undefined ||
        isWrong ||
        form.get('redirect_uri') !== grant.redirectUri ||
        !form.get('client_secret')
      )
        return { status: 400, body: { error: 'invalid_grant' } };
      grants.delete(key);
      const refresh = `refresh-${next++}`;
      grants.set(refresh, { ...grant, challenge: undefined });
      const given = { access_token: grant.token, token_type: 'bearer', expires_in: 7_200, refresh_token: refresh };
      return { status: 200, body: given };
    },
  };
}
