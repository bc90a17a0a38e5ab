import type { SchemaDraft } from '@cfworker/json-schema';
import { isObject } from '@/lib/json/value';

/** Returns true for a value that the keyword may have. */
type IsValid = (value: unknown) => boolean;

/** A keyword with the values that the metaschema of its dialect allows. */
interface KeywordRow {
  readonly isValid: IsValid;
  /** Describes valid values. */
  readonly expected: string;
}

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

const isSchema: IsValid = (value) => isObject(value) || typeof value === 'boolean';
const isSchemas: IsValid = (value) => Array.isArray(value) && value.length > 0;
const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;
const isNames: IsValid = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') && isUnique(value);
const isType: IsValid = (value) =>
  Array.isArray(value)
    ? value.length > 0 && value.every((each) => TYPES.includes(each)) && isUnique(value)
    : TYPES.includes(value);
const isNumber: IsValid = (value) => typeof value === 'number';
const isFlag: IsValid = (value) => typeof value === 'boolean';

const row = (isValid: IsValid, expected: string): KeywordRow => ({ isValid, expected });
const SCHEMA = row(isSchema, 'a schema');
const SCHEMAS = row(isSchemas, 'an array of schemas');
const OBJECT = row(isObject, 'an object');
const NAMES = row(isNames, 'an array of different names');
const NUMBER = row(isNumber, 'a number');
const COUNT = row((value) => Number.isInteger(value) && (value as number) >= 0, 'a non-negative integer');
const TEXT = row((value) => typeof value === 'string', 'a string');
const FLAG = row(isFlag, 'true or false');
const NAMED_NAMES = row(
  (value) => isObject(value) && Object.values(value).every(isNames),
  'an object of arrays of names',
);

/** Keywords on which all dialects agree. A dialect ignores keywords that it does not know. */
const COMMON: Readonly<Record<string, KeywordRow>> = {
  type: row(isType, 'a type name or an array of different ones'),
  properties: OBJECT,
  patternProperties: OBJECT,
  definitions: OBJECT,
  required: NAMES,
  enum: row(Array.isArray, 'an array'),
  anyOf: SCHEMAS,
  oneOf: SCHEMAS,
  allOf: SCHEMAS,
  not: SCHEMA,
  additionalProperties: SCHEMA,
  minimum: NUMBER,
  maximum: NUMBER,
  multipleOf: row((value) => isNumber(value) && (value as number) > 0, 'a number greater than 0'),
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  minProperties: COUNT,
  maxProperties: COUNT,
  uniqueItems: FLAG,
  pattern: row((value) => typeof value === 'string' && isPattern(value), 'a regular expression'),
  title: TEXT,
  description: TEXT,
};

const EITHER_BOUND = row((value) => isNumber(value) || isFlag(value), 'a number');
/** Before 2020-12, `items` could be a list, which describes a tuple. */
const ITEMS = row((value) => isSchema(value) || isSchemas(value), 'a schema or an array of schemas');

/** Keywords of draft 6 and 7. */
const SINCE_6: Readonly<Record<string, KeywordRow>> = {
  exclusiveMinimum: NUMBER,
  exclusiveMaximum: NUMBER,
  contains: SCHEMA,
  propertyNames: SCHEMA,
  if: SCHEMA,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: SCHEMA,
  else: SCHEMA,
  examples: row(Array.isArray, 'an array'),
  format: TEXT,
  readOnly: FLAG,
  writeOnly: FLAG,
  $id: TEXT,
  $comment: TEXT,
};

const SINCE_2019: Readonly<Record<string, KeywordRow>> = {
  ...SINCE_6,
  $defs: OBJECT,
  $anchor: TEXT,
  dependentSchemas: OBJECT,
  dependentRequired: NAMED_NAMES,
  unevaluatedItems: SCHEMA,
  unevaluatedProperties: SCHEMA,
  minContains: COUNT,
  maxContains: COUNT,
  deprecated: FLAG,
};

const SINCE_2020: Readonly<Record<string, KeywordRow>> = {
  ...SINCE_2019,
  items: row(isSchema, 'a schema (2020-12 calls a list of schemas prefixItems)'),
  prefixItems: SCHEMAS,
};

const KEYWORDS: Readonly<Record<SchemaDraft, ReadonlyMap<string, KeywordRow>>> = {
  '4': rows({ items: ITEMS, exclusiveMinimum: FLAG, exclusiveMaximum: FLAG }),
  '7': rows({ ...SINCE_6, items: ITEMS }),
  '2019-09': rows({ ...SINCE_2019, items: ITEMS }),
  '2020-12': rows(SINCE_2020),
};
const ANY_DIALECT = rows({ items: ITEMS, exclusiveMinimum: EITHER_BOUND, exclusiveMaximum: EITHER_BOUND });

/** Returns the keywords of a dialect. Without one, those on which all dialects agree. */
export function keywordsOf(dialect: SchemaDraft | undefined): ReadonlyMap<string, KeywordRow> {
  return dialect === undefined ? ANY_DIALECT : KEYWORDS[dialect];
}

function rows(own: Readonly<Record<string, KeywordRow>>): ReadonlyMap<string, KeywordRow> {
  return new Map(Object.entries({ ...COMMON, ...own }));
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    // Some escapes are valid only without the u flag.
    try {
      new RegExp(text);
      return true;
    } catch {
      return false;
    }
  }
}
