// What goes wrong at a provider of OpenID Connect.
export function undescribed(issuer: string): string {
  return `${issuer} does not describe itself.`;
}

export const NO_ID_TOKEN = 'The provider answered no id token.';
export const NOT_CONFIRMED = 'The provider did not confirm who signed in.';

export function notLetIn(provider: string): string {
  return `${provider} knows you, and this server does not let you in: it takes some domains and groups alone.`;
}
