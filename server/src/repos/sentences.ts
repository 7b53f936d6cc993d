export const TOKEN_LOST =
  'The stored repo token cannot be read: no key of this server can decrypt it. ' +
  'Bring the key back, or rotate the token.';
