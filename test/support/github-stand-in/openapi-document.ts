import { createRequire } from 'node:module';

/** A JSON object of which nothing is known yet. */
export type Json = { readonly [key: string]: unknown };

export interface OperationDescription {
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Json;
  }[];
  /** The JSON body's schema; undefined if the operation takes none. */
  readonly bodySchema: Json | undefined;
  readonly bodyRequired: boolean;
  /** The JSON answer's schema by status; undefined if that answer has no body. */
  readonly answers: ReadonlyMap<string, Json | undefined>;
}

const TO_HAVE_MORE = 'name it in github-stand-in/described.ts and run "npm run excerpt"';

/** The excerpt, in OpenAPI 3.0. By `require`, which parses it once per process, however many test files run in it. */
const excerpt = createRequire(import.meta.url)('./github-description.json') as Json;

function lookUp(path: readonly string[]): unknown {
  let node: unknown = excerpt;
  for (const key of path) node = (node as Json | undefined)?.[key];
  return node;
}

/** Follows `#/components/...` references of parameters and answers; schemas keep theirs. */
function resolve(node: unknown): Json | undefined {
  const ref = (node as Json | undefined)?.$ref;
  return typeof ref === 'string' ? resolve(lookUp(ref.slice(2).split('/'))) : (node as Json | undefined);
}

/** A named schema of the description, in JSON Schema. */
export function componentSchema(name: string): Json {
  const schema = lookUp(['components', 'schemas', name]);
  if (!schema) throw new Error(`The excerpt of GitHub's description has no schema ${name}: ${TO_HAVE_MORE}`);
  return toJsonSchema(schema) as Json;
}

/** One operation. */
export function describeOperation(method: string, template: string): OperationDescription {
  const operation = lookUp(['paths', template, method.toLowerCase()]) as Json | undefined;
  if (!operation) throw new Error(`The excerpt of GitHub's description has no ${method} ${template}: ${TO_HAVE_MORE}`);
  const parameters = ((operation.parameters ?? []) as unknown[]).map((one) => {
    const { name, in: place, required, schema } = resolve(one) as Json;
    return { name: String(name), in: String(place), required: required === true, schema: toJsonSchema(schema) as Json };
  });
  const body = resolve(operation.requestBody);
  const answers = Object.entries(operation.responses as Json).map(
    ([status, answer]) => [status, jsonSchemaOf(resolve(answer))] as const,
  );
  return {
    parameters,
    bodySchema: jsonSchemaOf(body),
    bodyRequired: body?.required === true,
    answers: new Map(answers),
  };
}

function jsonSchemaOf(holder: Json | undefined): Json | undefined {
  const media = (holder?.content as Json | undefined)?.['application/json'] as Json | undefined;
  return media?.schema === undefined ? undefined : (toJsonSchema(media.schema) as Json);
}

/** Keys of OpenAPI 3.0 that JSON Schema does not know or that mean something else there. */
const dropped = new Set([
  'example',
  'examples',
  'nullable',
  'discriminator',
  'xml',
  'externalDocs',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/**
 * OpenAPI 3.0 to JSON Schema: `nullable` becomes a type (or an alternative) of its own, references become ids, and
 * siblings of `$ref` go, as 3.0 ignores them. Keys under `properties` are names of data, never keywords.
 */
export function toJsonSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toJsonSchema);
  if (typeof node !== 'object' || node === null) return node;
  const source = node as Json;
  if (typeof source.$ref === 'string') return { $ref: schemaId(source.$ref.split('/').at(-1) ?? '') };
  const converted: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(source)) {
    if (dropped.has(key) || key.startsWith('x-')) continue;
    if (key === 'enum' || key === 'default' || key === 'required') converted[key] = value;
    else if (key === 'properties') converted[key] = mapValues(value as Json, toJsonSchema);
    else converted[key] = toJsonSchema(value);
  }
  return source.nullable === true ? orNull(converted) : converted;
}

function orNull(schema: Record<string, unknown>): Json {
  if (typeof schema.type !== 'string') return { anyOf: [{ type: 'null' }, schema] };
  const values = Array.isArray(schema.enum) ? { enum: [...new Set([...schema.enum, null])] } : {};
  return { ...schema, ...values, type: [schema.type, 'null'] };
}

function mapValues(object: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** The id under which a named schema is given to the validator. */
export function schemaId(name: string): string {
  return `github:${name}`;
}

/** Names of the schemas that a converted schema refers to. */
export function referencesOf(schema: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$ref' && typeof value === 'string') found.add(value.slice(schemaId('').length));
    else referencesOf(value, found);
  }
  return found;
}
