import { Ajv, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import type { Answer } from './answer.ts';
import { FAILURE_SCHEMAS } from './described.ts';
import type { Json, OperationDescription } from './openapi-document.ts';
import { componentSchema, describeOperation, referencesOf, schemaId } from './openapi-document.ts';

/** A request or an answer that differs from GitHub's OpenAPI description. */
export interface Violation {
  readonly what: 'request' | 'answer';
  readonly method: string;
  readonly path: string;
  /** Where and how it differs. */
  readonly problem: string;
}

/** The parts of a request that the description covers. */
export interface CheckedRequest {
  readonly method: string;
  readonly template: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly contentType: string | undefined;
  /** Parsed; undefined if none was sent. */
  readonly body: unknown;
}

const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
ajvFormats.default(ajv);
// The description writes templates such as `{/sha}` with this format; RFC 6570's levels are of no matter here.
ajv.addFormat('uri-template', true);

const operations = new Map<string, OperationDescription>();
const validators = new Map<string, ValidateFunction>();

function descriptionOf(method: string, template: string): OperationDescription {
  const key = `${method} ${template}`;
  const description = operations.get(key) ?? describeOperation(method, template);
  operations.set(key, description);
  return description;
}

/** Compiles what is asked for and no more. */
function validatorOf(key: string, schema: Json): ValidateFunction {
  const known = validators.get(key);
  if (known) return known;
  register(schema);
  const compiled = ajv.compile(schema);
  validators.set(key, compiled);
  return compiled;
}

function register(schema: Json): void {
  for (const name of referencesOf(schema)) {
    if (ajv.schemas[schemaId(name)]) continue;
    const component = componentSchema(name);
    ajv.addSchema(component, schemaId(name));
    register(component);
  }
}

function problemsOf(key: string, schema: Json, value: unknown, name: string): string[] {
  const validate = validatorOf(key, schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    (error) => `${name}${error.instancePath} ${error.message} (${JSON.stringify(error.params)})`,
  );
}

/** What a request has that GitHub's description does not allow; empty when it fits. */
export function checkRequest(request: CheckedRequest): string[] {
  const key = `${request.method} ${request.template}`;
  const description = descriptionOf(request.method, request.template);
  const problems = description.parameters.flatMap((parameter) => {
    const text = parameter.in === 'path' ? request.params[parameter.name] : request.query.get(parameter.name);
    if (text === null || text === undefined)
      return parameter.required ? [`${parameter.in} ${parameter.name} is missing`] : [];
    return problemsOf(
      `${key} ${parameter.name}`,
      parameter.schema,
      typed(text, parameter.schema),
      `${parameter.in} ${parameter.name}`,
    );
  });
  const known = new Set(description.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name));
  for (const name of request.query.keys()) if (!known.has(name)) problems.push(`query ${name} is not known to GitHub`);
  return [...problems, ...checkBody(key, description, request)];
}

function checkBody(key: string, description: OperationDescription, request: CheckedRequest): string[] {
  const { bodySchema, bodyRequired } = description;
  if (request.body === undefined) return bodyRequired ? ['the body is missing'] : [];
  if (!bodySchema) return ['a body was sent, but this operation takes none'];
  const problems = /^application\/json\b/i.test(request.contentType ?? '')
    ? []
    : [`the content type is ${request.contentType}`];
  // GitHub ignores keys that it does not know; for a client a misspelt key is a fault, so it counts as one here.
  return [
    ...problems,
    ...problemsOf(`${key} body`, { ...bodySchema, additionalProperties: false }, request.body, 'body'),
  ];
}

function typed(text: string, schema: Json): unknown {
  if (schema.type === 'integer' || schema.type === 'number') return text.trim() === '' ? text : Number(text);
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** What an answer has that GitHub's description does not allow; empty when it fits. */
export function checkAnswer(method: string, template: string, answer: Answer): string[] {
  const description = descriptionOf(method, template);
  const status = String(answer.status);
  const key = `${method} ${template} ${status}`;
  // Failures are described unevenly: where one is not, the two general forms hold.
  const general = answer.status < 400 ? undefined : FAILURE_SCHEMAS[answer.status === 422 ? 'validation' : 'other'];
  if (!description.answers.has(status) && general === undefined && status !== '304')
    return [`status ${status} is not described`];
  const schema = description.answers.get(status) ?? (general === undefined ? undefined : componentSchema(general));
  if (!schema) return answer.body === undefined ? [] : [`status ${status} has no body`];
  if (answer.body === undefined) return [`status ${status} needs a body`];
  // Through JSON, as it travels: that drops undefined members.
  return problemsOf(key, schema, JSON.parse(JSON.stringify(answer.body)), 'answer');
}

/**
 * What a webhook's payload has that GitHub's description does not allow, such as that of `pull-request-closed`; empty
 * when it fits.
 */
export function checkWebhook(name: string, payload: unknown): string[] {
  const key = `webhook-${name}`;
  return problemsOf(key, componentSchema(key), JSON.parse(JSON.stringify(payload)), 'payload');
}
