import { COVERAGE_FILE } from './declaration.ts';
import type { Form } from './form.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema of a `coverage.yml`, by which editors complete and check it. `id`: where it is served. */
export function coverageFileSchema(id: string): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    title: 'coverage.yml',
    description: 'How coverage is judged in this repo.',
    ...schemaOf(COVERAGE_FILE),
  };
}

function schemaOf(form: Form): Schema {
  switch (form.kind) {
    case 'switch':
      return { oneOf: [{ type: 'boolean' }, { enum: ['yes', 'no', 'on', 'off'] }] };
    case 'percent':
      return {
        oneOf: [
          { type: 'number', minimum: 0, maximum: 100 },
          { type: 'string', pattern: PERCENT_TEXT.source },
        ],
      };
    case 'whole':
      return { type: 'integer', minimum: form.min, maximum: form.max };
    case 'text':
      return {
        type: 'string',
        minLength: 1,
        maxLength: form.max,
        ...(form.pattern !== undefined && { pattern: form.pattern.source }),
      };
    case 'day':
      return { type: 'string', pattern: DAY_TEXT.source };
    case 'word':
      return { enum: form.words.includes('off') ? [...form.words, 'no', false] : form.words };
    case 'list':
      return { type: 'array', maxItems: form.max, items: schemaOf(form.of) };
    case 'named':
      return { type: 'object', maxProperties: form.max, additionalProperties: schemaOf(form.of) };
    case 'map':
      return form.canBeOff ? { oneOf: [{ enum: ['off', 'no', false] }, mapSchema(form.keys)] } : mapSchema(form.keys);
    case 'either':
      return { oneOf: form.forms.map(schemaOf) };
  }
}

function mapSchema(keys: Extract<Form, { kind: 'map' }>['keys']): Schema {
  const properties = Object.entries(keys).map(([name, { form, help }]) => [
    name,
    { description: help, ...schemaOf(form) },
  ]);
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) };
}

/** 0 to 100, with up to six decimals. */
export const PERCENT_TEXT = /^(?:100(?:\.0{1,6})?|\d{1,2}(?:\.\d{1,6})?)%?$/;
export const DAY_TEXT = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
