import { type Shape, since } from '../shape';

const ABOUT: Shape = { 'title?': 'string', 'description?': 'string' };
const TEXT: Shape = { ...ABOUT, type: "'string'", 'default?': since('2025-11-25', 'string') };
const MANY: Shape = {
  ...ABOUT,
  type: "'array'",
  'minItems?': 'integer',
  'maxItems?': 'integer',
  'default?': 'string[]',
};

/** The little schemas that a server may ask a person with. */
export const FORM_SHAPES = {
  StringSchema: {
    ...TEXT,
    'minLength?': 'integer',
    'maxLength?': 'integer',
    'format?': "'email' | 'uri' | 'date' | 'date-time'",
  },
  NumberSchema: {
    ...ABOUT,
    type: "'number' | 'integer'",
    'minimum?': 'number',
    'maximum?': 'number',
    'default?': since('2025-11-25', 'number'),
  },
  BooleanSchema: { ...ABOUT, type: "'boolean'", 'default?': 'boolean' },
  ChoiceSchema: { ...TEXT, enum: 'string[]', 'enumNames?': 'string[]' },
  TitledChoiceSchema: { ...TEXT, oneOf: 'TitledValue[]' },
  ManyChoiceSchema: { ...MANY, items: 'ChoiceItems' },
  TitledManyChoiceSchema: { ...MANY, items: 'TitledItems' },
  ChoiceItems: { type: "'string'", enum: 'string[]' },
  TitledItems: { anyOf: 'TitledValue[]' },
  TitledValue: { const: 'string', title: 'string' },
} as const satisfies Record<string, Shape>;
