/** `size` random bytes, as an argument, so that tests own them. */
export type RandomBytes = (size: number) => Uint8Array;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** 43 of 62 characters hold 256 bits. */
const LENGTH = 43;
/** Bytes from here on would make some characters likelier than others. */
const FAIR = 256 - (256 % LETTERS.length);

/** 43 random letters and digits: they need no escaping in a URL, a form, a shell or YAML. */
export function randomLetters(randomBytes: RandomBytes): string {
  let text = '';
  while (text.length < LENGTH) {
    for (const byte of randomBytes(LENGTH)) {
      if (byte < FAIR && text.length < LENGTH) text += LETTERS[byte % LETTERS.length];
    }
  }
  return text;
}

/** 32 random bytes as 43 base64url characters. */
export function randomBase64Url(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(32)).toString('base64url');
}
