import { Ajv, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';

/** A cut of a host's own description of its API, written by us: what stand-ins take and answer is held against it. */
export interface Description {
  readonly about: string;
  readonly schemas: Readonly<Record<string, object>>;
  /** By `<method> <path>`; `{x}` stands for one part of the path, `{x*}` for all that is left. */
  readonly operations: Readonly<Record<string, DescribedOperation>>;
}

interface DescribedOperation {
  /** Whatever else is asked is a mistake of ours. */
  readonly query?: readonly string[];
  readonly body?: string;
  /** By status; `raw` and `none` have no JSON, `any` has some. */
  readonly answers: Readonly<Record<string, string>>;
}

export interface Checks {
  /** The operation that is asked for, and the parts of its path. */
  find(method: string, path: string): { readonly key: string; readonly parts: readonly string[] } | undefined;
  /** What was sent that the description does not know. */
  problemsOfRequest(key: string, query: URLSearchParams, body: unknown): readonly string[];
  problemsOfAnswer(key: string, status: number, body: unknown): readonly string[];
}

export function checksOf({ schemas, operations }: Description): Checks {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  ajvFormats.default(ajv);
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name);
  const routes = Object.keys(operations).map((key) => ({ key, form: formOf(key) }));
  const problemsIn = (name: string | undefined, value: unknown): readonly string[] => {
    const validate = name === undefined ? undefined : (ajv.getSchema(name) as ValidateFunction | undefined);
    if (validate === undefined || validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${name}${instancePath} ${message}`);
  };
  return {
    find(method, path) {
      for (const { key, form } of routes) {
        const found = form.exec(`${method} ${path}`);
        if (found !== null) return { key, parts: found.slice(1).map(decodeURIComponent) };
      }
      return undefined;
    },
    problemsOfRequest(key, query, body) {
      const { query: known = [], body: schema } = operations[key] as DescribedOperation;
      const odd = [...query.keys()].filter((name) => !known.includes(name)).map((name) => `query ${name} is not known`);
      const sent = body === undefined ? [] : schema === undefined ? ['a body was sent'] : problemsIn(schema, body);
      return [...odd, ...sent].map((problem) => `${key}: ${problem}`);
    },
    problemsOfAnswer(key, status, body) {
      const schema = status >= 400 ? 'error' : operations[key]?.answers[String(status)];
      if (schema === undefined) return status === 301 ? [] : [`${key}: ${status} is not described`];
      return problemsIn(schema, body).map((problem) => `${key} answered ${status}: ${problem}`);
    },
  };
}

function formOf(key: string): RegExp {
  const pattern = key
    .replace(/[.+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{[^}*]+\}/g, '([^/]+)')
    .replace(/\{[^}]+\*\}/g, '(.+)');
  return new RegExp(`^${pattern}/?$`);
}
