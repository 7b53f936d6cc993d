/** A value that may stand nowhere but where it belongs. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** Where what was found, in which form. */
export interface Finding {
  readonly secret: string;
  readonly form: string;
  readonly place: string;
}

/**
 * Tokens that were made on the way, and that no test has seen. Each begins a word, or follows an escape of an address:
 * a random value in base64url holds their first letters somewhere inside once in ten thousand.
 */
const MADE: readonly (readonly [name: string, form: RegExp])[] = [
  ['a token of ours', /(?:(?<![\w-])|(?<=%[0-9A-F]{2}))cv[rpsb]_[\w-]{40,}/],
  ['a token of GitHub', /(?:(?<![\w-])|(?<=%[0-9A-F]{2}))gh[a-z]_[0-9A-Za-z_-]{24,}/],
  ['a signed token', /eyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{20,}/],
];

/** Collects what a server gave away, and looks for secrets in it. */
export class SecretScan {
  readonly #secrets: Secret[] = [];
  readonly #seen: { readonly place: string; readonly text: string; readonly handed: readonly string[] }[] = [];

  /** Answers the value. */
  mark(name: string, value: string | undefined): string {
    if (value === undefined || value.length < 12) throw new Error(`${name} is no secret: ${value}`);
    this.#secrets.push({ name, value });
    return value;
  }

  get secrets(): readonly Secret[] {
    return this.#secrets;
  }

  /** `handed`: the secrets that belong there, by name. */
  note(place: string, text: string | Buffer, handed: readonly string[] = []): void {
    this.#seen.push({ place, text: typeof text === 'string' ? text : text.toString('latin1'), handed });
  }

  get size(): number {
    return this.#seen.reduce((sum, { text }) => sum + text.length, 0);
  }

  findings(): readonly Finding[] {
    const forms = this.#secrets.flatMap(({ name, value }) =>
      formsOf(value).map(([form, spelling]) => ({ name, form, spelling })),
    );
    return this.#seen.flatMap(({ place, text, handed }) => {
      const known = forms.filter(({ name, spelling }) => !handed.includes(name) && text.includes(spelling));
      const made = handed.length > 0 ? [] : MADE.filter(([, form]) => form.test(text));
      return [
        ...known.map(({ name, form }) => ({ secret: name, form, place })),
        ...made.map(([name]) => ({ secret: name, form: 'as it is', place })),
      ];
    });
  }
}

/** Every spelling of a secret, and each line of a long one. */
function formsOf(value: string): readonly (readonly [form: string, spelling: string])[] {
  const lines = value.split('\n').filter((line) => line.length >= 24 && !line.startsWith('-----'));
  const forms: (readonly [string, string])[] = [
    ['as it is', value],
    ['in JSON', JSON.stringify(value).slice(1, -1)],
    ['in an address', encodeURIComponent(value)],
    ['in hex', Buffer.from(value).toString('hex')],
    ['in HTML', value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')],
    ...[0, 1, 2].map((shift) => ['in base64', inBase64(value, shift)] as const),
    ...[0, 1, 2].map(
      (shift) => ['in base64url', inBase64(value, shift).replaceAll('+', '-').replaceAll('/', '_')] as const,
    ),
    ...(lines.length > 1 ? lines.map((line) => ['as a line of it', line] as const) : []),
  ];
  if (/^[0-9a-f]{64}$/.test(value)) forms.push(['as bytes', Buffer.from(value, 'hex').toString('latin1')]);
  return forms;
}

/** What does not depend on what stands before and behind it, `shift` bytes after the beginning of a group. */
function inBase64(value: string, shift: number): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]).toString('base64');
  return encoded.replace(/=+$/, '').slice(shift === 0 ? 0 : shift + 1, -1);
}
