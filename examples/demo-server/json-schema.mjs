// @ts-check
// The part of JSON Schema that the tools here use. A real server should use a library.
/** @typedef {import('./protocol.mjs').JsonObject} JsonObject */
/** @typedef {{ path: string, root: JsonObject }} Place */
/** @typedef {(value: any, rule: any, place: Place) => string[]} Check Returns problems that start with their path. */

/** @type {{ [type: string]: (value: unknown) => boolean }} */
const TYPES = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
};

/** @type {{ [keyword: string]: Check }} Other keywords do not affect validity, or no tool here uses them. */
const KEYWORDS = {
  type: (value, rule, at) => {
    const types = [rule].flat();
    return complain(
      at,
      types.some((type) => TYPES[type]?.(value)),
      `must be ${types.join(' or ')}`,
    );
  },
  enum: (value, rule, at) => complain(at, rule.includes(value), `must be one of ${rule.join(', ')}`),
  const: (value, rule, at) => complain(at, value === rule, `must be ${JSON.stringify(rule)}`),
  minimum: (value, rule, at) => complain(at, !(value < rule), `must be at least ${rule}`),
  maximum: (value, rule, at) => complain(at, !(value > rule), `must be at most ${rule}`),
  minLength: (value, rule, at) => complain(at, !(value?.length < rule), `must have at least ${rule} characters`),
  maxLength: (value, rule, at) => complain(at, !(value?.length > rule), `must have at most ${rule} characters`),
  minItems: (value, rule, at) => complain(at, !(value?.length < rule), `must have at least ${rule} items`),
  maxItems: (value, rule, at) => complain(at, !(value?.length > rule), `must have at most ${rule} items`),
  uniqueItems: (value, rule, at) =>
    complain(
      at,
      !rule || !Array.isArray(value) || new Set(value.map((item) => JSON.stringify(item))).size === value.length,
      'must not repeat an item',
    ),
  propertyNames: (value, rule, at) =>
    isObject(value)
      ? Object.keys(value).flatMap((key) => problems(key, rule, { ...at, path: `${at.path}: the name ${key}` }))
      : [],
  pattern: (value, rule, at) =>
    complain(at, typeof value !== 'string' || new RegExp(rule).test(value), `must match ${rule}`),
  required: (value, rule, at) =>
    isObject(value)
      ? rule.flatMap((/** @type {string} */ key) => complain(at, Object.hasOwn(value, key), `is missing ${key}`))
      : [],
  properties: (value, rule, at) =>
    isObject(value)
      ? Object.entries(rule).flatMap(([key, schema]) =>
          Object.hasOwn(value, key) ? problems(value[key], schema, { ...at, path: `${at.path}.${key}` }) : [],
        )
      : [],
  items: (value, rule, at) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => problems(item, rule, { ...at, path: `${at.path}[${index}]` }))
      : [],
  anyOf: (value, rule, at) =>
    complain(
      at,
      rule.some((/** @type {JsonObject} */ one) => problems(value, one, at).length === 0),
      'must match one of its alternatives',
    ),
  oneOf: (value, rule, at) =>
    complain(
      at,
      rule.filter((/** @type {JsonObject} */ one) => problems(value, one, at).length === 0).length === 1,
      'must match exactly one of its alternatives',
    ),
  $ref: (value, rule, at) => {
    const definitions = /** @type {{ [name: string]: JsonObject }} */ (at.root.$defs ?? {});
    return problems(value, definitions[rule.replace('#/$defs/', '')] ?? {}, at);
  },
};

/**
 * Returns a sentence for each problem with `args`.
 *
 * @param {unknown} args
 * @param {JsonObject} schema
 */
export function argumentProblems(args, schema) {
  return problems(args, schema, { path: 'arguments', root: schema });
}

/** @param {unknown} value @param {JsonObject} schema @param {Place} at @returns {string[]} */
function problems(value, schema, at) {
  const own = Object.entries(schema).flatMap(([keyword, rule]) => KEYWORDS[keyword]?.(value, rule, at) ?? []);
  return [...own, ...otherProperties(value, schema, at)];
}

/**
 * Checks `additionalProperties`, which depends on `properties`.
 *
 * @param {unknown} value
 * @param {JsonObject} schema
 * @param {Place} at
 */
function otherProperties(value, schema, at) {
  const rule = schema.additionalProperties;
  if (rule === undefined || rule === true || !isObject(value)) return [];
  const known = /** @type {JsonObject} */ (schema.properties ?? {});
  const others = Object.entries(value).filter(([key]) => !Object.hasOwn(known, key));
  return others.flatMap(([key, member]) =>
    rule === false
      ? [`${at.path} has an unknown ${key}`]
      : problems(member, /** @type {JsonObject} */ (rule), { ...at, path: `${at.path}.${key}` }),
  );
}

/** @param {Place} at @param {boolean} fine @param {string} complaint */
function complain(at, fine, complaint) {
  return fine ? [] : [`${at.path} ${complaint}`];
}

/** @param {unknown} value @returns {value is JsonObject} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
