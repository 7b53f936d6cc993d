import type { Access } from '../../platform/http/openapi/operation.ts';
import type { ShownField, ShownGroup, ShownOperation } from '../pages/api-page.tsx';
import type { ApiDocument } from './document.ts';
import { OPERATIONS } from './document.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

const WHO: Readonly<Record<Access, string>> = {
  anyone: 'anyone',
  reader: 'anybody who may read the repo, or anyone if it is public',
  uploader: 'the holder of the repo token, or of a token that the git host vouches for',
  'personal-token': 'the holder of a personal token, as far as its user may',
  signature: 'the git host, by its signature',
};

/** The document for people: one level of fields, in words. */
export function toReadable(document: ApiDocument): readonly ShownGroup[] {
  const { schemas = {} } = (document.components ?? {}) as { readonly schemas?: Readonly<Record<string, Schema>> };
  const resolve = (schema: Schema | undefined): Schema =>
    schema?.$ref === undefined ? (schema ?? {}) : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  const operations = OPERATIONS.map((operation) => ({ operation, shown: showOperation(operation, document, resolve) }));
  const groups = Map.groupBy(operations, ({ operation }) => operation.group);
  return [...groups].map(([name, ofGroup]) => ({ name, operations: ofGroup.map(({ shown }) => shown) }));
}

type Resolve = (schema: Schema | undefined) => Schema;

function showOperation(
  { method, path, id, summary, description, access, query = [], answer }: (typeof OPERATIONS)[number],
  document: ApiDocument,
  resolve: Resolve,
): ShownOperation {
  const described = document.paths[path]?.[method] as {
    readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
    readonly responses: Readonly<
      Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
    >;
  };
  const schemaOf = (content: Readonly<Record<string, { readonly schema?: Schema }>> | undefined): Schema =>
    resolve(content?.['application/json']?.schema);
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    access: WHO[access],
    query: query.map(({ name, kind = 'string', required = false, description: meaning }) => ({
      name,
      type: typeName(kind),
      required,
      description: meaning,
    })),
    body: fieldsOf(schemaOf(described.requestBody?.content), resolve),
    answerStatus: String(answer.status),
    answer: fieldsOf(schemaOf(described.responses[answer.status]?.content), resolve),
    failures: Object.keys(described.responses).filter((status) => status >= '400'),
  };
}

function fieldsOf({ properties = {}, required = [] }: Schema, resolve: Resolve): readonly ShownField[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: showType(schema, resolve),
    required: required.includes(name),
    description: schema.description ?? inside(schema, resolve),
  }));
}

/** The names of an object's fields, or of those of a list's entries. */
function inside(schema: Schema, resolve: Resolve): string {
  const candidates = [schema, ...(schema.anyOf ?? [])].map(resolve);
  const objects = candidates.flatMap((one) => [one, resolve(one.items)]);
  const names = Object.keys(objects.find(({ properties }) => properties !== undefined)?.properties ?? {});
  return names.join(', ');
}

function showType(schema: Schema, resolve: Resolve): string {
  const { type, enum: choices, const: only, anyOf, items } = resolve(schema);
  if (only !== undefined) return JSON.stringify(only);
  if (choices !== undefined) return choices.map((choice) => JSON.stringify(choice)).join(' | ');
  if (anyOf !== undefined) return [...new Set(anyOf.map((one) => showType(one, resolve)))].join(' or ');
  if (type === 'array') return items === undefined ? 'list' : `list of ${showType(items, resolve)}`;
  return [type ?? 'anything'].flat().map(typeName).join(' or ');
}

function typeName(type: string): string {
  return { string: 'text', integer: 'whole number', boolean: 'true or false' }[type] ?? type;
}
