import { z } from 'zod';
import { BUILD_OPERATIONS } from '../../builds/http/build-operations.ts';
import { PEOPLE_OPERATIONS } from '../../people/http/people-operations.ts';
import * as answers from '../../platform/http/openapi/answers.ts';
import type { Access, Operation, Parameter } from '../../platform/http/openapi/operation.ts';
import { REPO_OPERATIONS } from '../../repos/http/repo-operations.ts';
import { UPLOAD_OPERATIONS } from '../../uploads/http/upload-operations.ts';
import { SERVER_OPERATIONS } from './server-operations.ts';

export const OPERATIONS: readonly Operation[] = [
  ...UPLOAD_OPERATIONS,
  ...BUILD_OPERATIONS,
  ...REPO_OPERATIONS,
  ...PEOPLE_OPERATIONS,
  ...SERVER_OPERATIONS,
];

type Json = Readonly<Record<string, unknown>>;

/** An OpenAPI 3.1 document. */
export type ApiDocument = Json & { readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>> };

const SECURITY: Readonly<Record<Access, readonly Json[]>> = {
  anyone: [],
  reader: [{ token: [] }, { repoTokenInQuery: [] }, {}],
  uploader: [{ token: [] }, { repoTokenInQuery: [] }, {}],
  'personal-token': [{ token: [] }],
  signature: [{ signature: [] }],
};

/** The statuses that any request may get, and how each is described. */
const ALWAYS = [400, 500, 503];
const MEANING: Readonly<Record<number, string>> = {
  400: 'The query is not one: more than 50 pairs.',
  401: 'A credential is missing, or nobody has it.',
  403: 'The credential is known and may not do this.',
  404: 'There is no such thing, or it may not be read with this credential.',
  408: 'The body stopped before its end. Nothing was stored; send it again.',
  409: 'A repo of that name is there already.',
  413: 'The body is over a limit, which the sentence names.',
  422: 'The request does not fit; the field and the value seen are named.',
  429: 'Too much in too short a time; Retry-After says when to come back.',
  500: 'A fault of the server; its log tells more under the request id.',
  503: 'The server or its store is away; Retry-After says when to come back.',
};

const FAILURE = { $ref: '#/components/schemas/failure' };

/** The description of everything that programs may ask. `url`: BASE_URL. */
export function describeApi({ url, version }: { readonly url: string; readonly version: string }): ApiDocument {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] ?? {}, { [operation.method]: describeOperation(operation) });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Coverage service',
      version,
      description: 'It speaks the Coveralls API, so its clients work unchanged, and adds what that API lacks.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    paths,
    components: {
      schemas: namedSchemas(),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A personal token, or where it says so a repo token.' },
        repoTokenInQuery: { type: 'apiKey', in: 'query', name: 'repo_token' },
        signature: { type: 'apiKey', in: 'header', name: 'X-Hub-Signature-256' },
      },
    },
  };
}

function describeOperation({ path, id, group, body, answer, ...operation }: Operation): Json {
  const { summary, description, access, bodyType, query = [], failures = [] } = operation;
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const statuses = [...new Set([...ALWAYS, ...failures])].sort((one, other) => one - other);
  return {
    operationId: id,
    tags: [group],
    summary,
    ...(description !== undefined && { description }),
    security: SECURITY[access],
    parameters: [...named.map(inPath), ...query.map(inQuery)],
    ...(body !== undefined && { requestBody: { required: true, content: json(requestSchema(body), bodyType) } }),
    responses: {
      ...Object.fromEntries(
        [answer.status, ...(answer.others ?? [])].map((status) => [
          status,
          { description: 'Done.', ...contentOf(answer) },
        ]),
      ),
      ...Object.fromEntries(
        statuses.map((status) => [status, { description: MEANING[status] ?? '', content: json(FAILURE) }]),
      ),
    },
  };
}

function contentOf({ schema, type }: Operation['answer']): Json {
  if (schema !== undefined) return { content: json({ $ref: `#/components/schemas/${nameOf(schema)}` }) };
  return type === undefined ? {} : { content: { [type]: {} } };
}

function json(schema: Json, type = 'application/json'): Json {
  return { [type]: { schema } };
}

function inPath(name: string): Json {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function inQuery({ name, description, required = false, kind = 'string' }: Parameter): Json {
  return { name, in: 'query', required, description, schema: { type: kind } };
}

/** As the schema checks a body, without what no document can say. */
function requestSchema(schema: z.ZodType): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return described;
}

function nameOf(schema: z.ZodType): string {
  const [name] = Object.entries(answers).find(([, one]) => one === schema) ?? [];
  if (name === undefined) throw new Error('an answer of the API has no name in answers.ts');
  return name;
}

function namedSchemas(): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(answers)) registry.add(schema as z.ZodType, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  );
}
