import { PERSONAL_TOKEN, REPO_TOKEN, WEB_TOKEN as WEB_TOKEN_TEXT } from './sentences.ts';
/** What tokens of one kind look like inside a text. */
export interface TokenForm {
  /** With the flag `g`. */
  readonly form: RegExp;
  /** As the end of a sentence: `a repo token of this service`. */
  readonly kind: string;
}

/** Knows secrets inside texts, so that none is stored, answered or logged. */
export interface SecretTexts {
  /** From now on knows these too. */
  learn(values: readonly string[]): void;
  /** The text with `[secret]` in place of each secret. */
  hide(text: string): string;
  /** What kind of token the text holds; undefined: none. Prefixes with little behind them count as names. */
  find(text: string): string | undefined;
}

const SHOWN = '[secret]';

/** Without a boundary before it: in an address or a log line an escape may stand there (`%2Fcvr_`, `\ncvr_`). */
const OUR_FORMS: readonly TokenForm[] = [
  { form: /cvr_[\w-]{4,}/g, kind: REPO_TOKEN },
  { form: /cvp_[\w-]{4,}/g, kind: PERSONAL_TOKEN },
  { form: /cvs_[\w-]{4,}/g, kind: 'the token of a share link' },
  { form: /cvb_[\w-]{4,}/g, kind: 'a badge token of this service' },
];
/** Its first part says nothing; what is claimed and signed is hidden. */
const WEB_TOKEN: TokenForm = { form: /\.eyJ[\w-]*\.[\w-]+/g, kind: WEB_TOKEN_TEXT };
/** With its lines, as it is in plain text, in JSON and in an address. */
const PRIVATE_KEY: TokenForm = { form: /-----BEGIN[A-Z %+\d]{1,40}KEY-----[\w+/=%\\\s]{16,}/g, kind: 'a private key' };

/** Where secrets of any form stand: passwords in addresses, pairs of a query, what follows a scheme. */
const PLACES: readonly (readonly [place: RegExp, shown: string])[] = [
  [/:\/\/[^\s/@"\\]+@/g, `://${SHOWN}@`],
  [/\b(repo_token|access_token|token|share|code|t)=[^&\s"\\]+/g, `$1=${SHOWN}`],
  [/\b(Bearer|Basic) [\w.~+/=-]{20,}/g, `$1 ${SHOWN}`],
];

/** Characters of a token in all; a flag called `cvr_pipeline_integration` is none. */
const MIN_TOKEN = 30;
/** Characters by which the beginning of a secret is known, since a quoted value may be cut; a shorter one is a word. */
const MIN_BEGINNING = 16;

/** Knows tokens of this service, of the hosts, and this server's own secrets by their `values`. */
export function createSecretTexts(known: {
  readonly forms: readonly TokenForm[];
  readonly values: readonly string[];
}): SecretTexts {
  const forms = [...OUR_FORMS, ...known.forms, WEB_TOKEN, PRIVATE_KEY];
  let spellings: readonly string[] = [];
  const learn = (values: readonly string[]): void => {
    const long = values.filter(({ length }) => length >= MIN_BEGINNING);
    spellings = [...new Set([...spellings, ...long.flatMap(spell)])];
  };
  learn(known.values);
  return {
    learn,
    hide(text) {
      const valuesHidden = spellings.reduce(hideValue, text);
      const tokensHidden = forms.reduce((hidden, { form }) => hidden.replaceAll(form, SHOWN), valuesHidden);
      return PLACES.reduce((hidden, [place, shown]) => hidden.replaceAll(place, shown), tokensHidden);
    },
    find(text) {
      if (text.length < MIN_TOKEN) return undefined;
      if (spellings.some((value) => value.length >= MIN_TOKEN && text.includes(value)))
        return 'a secret of this server';
      const isToken = (found: string): boolean => found.length >= MIN_TOKEN;
      return forms.find(({ form }) => text.match(form)?.some(isToken))?.kind;
    },
  };
}

/** As it is in plain text, in JSON and in an address. */
function spell(value: string): readonly string[] {
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
}

/**
 * Hides what begins like the value, to its end or that of the word: a guesser who tries beginnings must not
 * see how far a guess was right.
 */
function hideValue(text: string, value: string): string {
  const beginning = value.slice(0, MIN_BEGINNING);
  let hidden = '';
  let rest = text;
  for (let at = rest.indexOf(beginning); at >= 0; at = rest.indexOf(beginning)) {
    let end = at + beginning.length;
    while (end < rest.length && (rest[end] === value[end - at] || !ENDS.test(rest[end] ?? ''))) end += 1;
    hidden += rest.slice(0, at) + SHOWN;
    rest = rest.slice(end);
  }
  return hidden + rest;
}

/** What ends a word, in a sentence and in JSON. */
const ENDS = /[\s"\\…,]/;
