import { readFileSync } from 'node:fs';
import { matchPath, type RestAnswer } from '../rest-stand-in/rest-server.ts';

interface Described {
  readonly query: readonly string[];
  readonly body?: Readonly<Record<string, string>>;
  readonly list?: boolean;
  readonly answer?: Readonly<Record<string, string>>;
}

const text = readFileSync(new URL('description.json', import.meta.url), 'utf8');
const { operations } = JSON.parse(text) as { readonly operations: Readonly<Record<string, Described>> };

export interface Exchange {
  /** `<method> <path below the root>` */
  readonly asked: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly answer: RestAnswer;
}

/** What of a request and its answer is not as the host describes it. */
export function violationsOf({ asked, query, body, answer }: Exchange): readonly string[] {
  const [name, described] = Object.entries(operations).find(([one]) => matchPath(one, asked) !== undefined) ?? [];
  // Diffs of a pull request and a commit have the ending of a file.
  if (name === undefined || described === undefined) return [`there is no ${asked}`];
  const odd = [...query.keys()].filter((one) => !described.query.includes(one));
  const { body: fields = {}, answer: shown = {} } = described;
  const wrong = Object.keys({ ...fields, ...body }).filter((one) => typeof body[one] !== fields[one]);
  const isJson = answer.status < 300 && answer.bytes === undefined;
  const entries = isJson ? [answer.body].flat() : [];
  const missing = entries.flatMap((entry) =>
    Object.entries(shown).filter(([one, type]) => typeof (entry as Record<string, unknown>)[one] !== type),
  );
  return [
    ...odd.map((one) => `${name} takes no ${one}`),
    ...wrong.map((one) => `${name} takes ${one} as ${fields[one] ?? 'nothing'}`),
    ...missing.map(([one, type]) => `${name} answers ${one} as ${type}`),
    ...(isJson && (described.list === true) !== Array.isArray(answer.body) && name.endsWith('*') === false
      ? [`${name} answers ${described.list ? 'a list' : 'an object'}`]
      : []),
  ];
}
