/** Schemas of the command-line options that settings may have. None starts a program or shows a secret. */
export const TEAM_OPTIONS = {
  client: { type: 'string' },
  otel: { type: 'object', additionalProperties: false, properties: { export: { type: 'string' } } },
  pins: { type: 'string' },
  s3: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(
        ['endpoint', 'region', 'addressing', 'author', 'from'].map((key) => [key, { type: 'string' }]),
      ),
      tag: { type: ['string', 'array'], items: { type: 'string' } },
    },
  },
  to: { type: 'string' },
} as const;
