/** What a value of the file may be. Types, the check, the JSON Schema and the reference page follow from it. */
export type Form<Value = unknown> = FormShape & {
  /** Never there: it carries the type. */
  readonly holds?: Value;
};

type FormShape =
  /** `true` or `false`; `yes`, `no`, `on` and `off` are texts in YAML 1.2, and mean the same here. */
  | { readonly kind: 'switch' }
  /** A number from 0 to 100; a `%` is allowed. */
  | { readonly kind: 'percent'; readonly unit: '%' | 'points' }
  | { readonly kind: 'whole'; readonly min: number; readonly max: number }
  /** Any text of 1 to `most` characters; `pattern`: what it must be, for the schema too, and `said` in words. */
  | { readonly kind: 'text'; readonly max: number; readonly pattern?: RegExp; readonly said: string }
  /** A day, as `2027-01-31`. */
  | { readonly kind: 'day' }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'list'; readonly of: Form; readonly max: number; readonly said: string }
  /** A map whose keys people choose. */
  | { readonly kind: 'named'; readonly of: Form; readonly max: number; readonly said: string }
  /** A map with known keys. `off`: the word stands for `{off: true}`. */
  | { readonly kind: 'map'; readonly keys: Readonly<Record<string, Key>>; readonly canBeOff?: boolean }
  | { readonly kind: 'either'; readonly forms: readonly Form[] };

export interface Key<Value = unknown> {
  readonly form: Form<Value>;
  /** For the schema and the reference page. */
  readonly help: string;
  /** What others call it, or what people write for it: the error names the right key. */
  readonly mistaken?: readonly string[];
}

export type ValueOf<One> = One extends { readonly holds?: infer Value } ? Exclude<Value, undefined> : never;
type KeysOf<Keys> = { readonly [Name in keyof Keys]?: Keys[Name] extends Key<infer Value> ? Value : never };

export const onOff: Form<boolean> = { kind: 'switch' };
export const percent: Form<number> = { kind: 'percent', unit: '%' };
export const points: Form<number> = { kind: 'percent', unit: 'points' };
export const day: Form<string> = { kind: 'day' };

export function whole(min: number, max: number): Form<number> {
  return { kind: 'whole', min, max };
}

export function text(max: number, said: string, pattern?: RegExp): Form<string> {
  return { kind: 'text', max, said, ...(pattern !== undefined && { pattern }) };
}

export function oneWord<const Words extends readonly string[]>(...words: Words): Form<Words[number]> {
  return { kind: 'word', words };
}

export function list<Value>(of: Form<Value>, max: number, said: string): Form<readonly Value[]> {
  return { kind: 'list', of, max, said };
}

export function named<Value>(of: Form<Value>, max: number, said: string): Form<Readonly<Record<string, Value>>> {
  return { kind: 'named', of, max, said };
}

export function map<const Keys extends Readonly<Record<string, Key>>>(keys: Keys): Form<KeysOf<Keys>> {
  return { kind: 'map', keys };
}

/** As `map`, and the word `off` stands for `{off: true}`. */
export function mapOrOff<const Keys extends Readonly<Record<string, Key>>>(keys: Keys): Form<KeysOf<Keys>> {
  return { kind: 'map', keys, canBeOff: true };
}

export function either<One, Other>(one: Form<One>, other: Form<Other>): Form<One | Other> {
  return { kind: 'either', forms: [one, other] };
}

export function key<Value>(form: Form<Value>, help: string, mistaken: readonly string[] = []): Key<Value> {
  return { form, help, mistaken };
}

/** What a value must be, as it is in an error behind "must be". */
export function describeForm(form: Form): string {
  switch (form.kind) {
    case 'switch':
      return '`true` or `false`';
    case 'percent':
      return form.unit === '%' ? 'a percentage from 0 to 100' : 'a number of points from 0 to 100';
    case 'whole':
      return `a whole number from ${form.min} to ${form.max}`;
    case 'text':
    case 'list':
    case 'named':
      return form.said;
    case 'day':
      return 'a day like 2027-01-31';
    case 'word':
      return choice(form.words.map(inBackticks));
    case 'map':
      return `${form.canBeOff ? '`off`, or ' : ''}a map with ${choice(Object.keys(form.keys).map(inBackticks))}`;
    case 'either':
      return form.forms.map(describeForm).join(', or ');
  }
}

function inBackticks(word: string): string {
  return `\`${word}\``;
}

function choice(all: readonly string[]): string {
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}
