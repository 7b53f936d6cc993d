const text = { type: 'string' };
const message = { type: 'object', required: ['text'], properties: { text }, additionalProperties: false };
const rule = {
  type: 'object',
  required: ['id'],
  properties: {
    id: text,
    shortDescription: message,
    defaultConfiguration: { type: 'object', properties: { level: { enum: ['none', 'note', 'warning', 'error'] } } },
  },
  additionalProperties: false,
};
const region = {
  type: 'object',
  properties: {
    startLine: { type: 'integer', minimum: 1 },
    endLine: { type: 'integer', minimum: 1 },
    snippet: { type: 'object', properties: { text }, additionalProperties: false },
  },
  additionalProperties: false,
};
const place = {
  type: 'object',
  properties: {
    artifactLocation: {
      type: 'object',
      properties: { uri: { type: 'string', pattern: '^[^\\s:]*$' }, uriBaseId: text },
      additionalProperties: false,
    },
    region,
  },
  additionalProperties: false,
};
const result = {
  type: 'object',
  required: ['message'],
  properties: {
    ruleId: text,
    ruleIndex: { type: 'integer', minimum: -1 },
    level: { enum: ['none', 'note', 'warning', 'error'] },
    message,
    locations: { type: 'array', items: { type: 'object', properties: { physicalLocation: place } } },
  },
  additionalProperties: false,
};

/** For SARIF 2.1.0 what ours use, as its sections 3.13 to 3.30 say it: which keys there are, and their forms. */
export const SARIF_SCHEMA = {
  type: 'object',
  required: ['version', 'runs'],
  properties: {
    $schema: text,
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool'],
        properties: {
          tool: {
            type: 'object',
            required: ['driver'],
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                properties: { name: text, version: text, rules: { type: 'array', uniqueItems: true, items: rule } },
                additionalProperties: false,
              },
            },
          },
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          results: { type: 'array', items: result },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};
