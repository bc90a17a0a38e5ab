import { isObject, own } from '@/lib/wire/message';
import { usage } from '../cli/exit-code';
import { requireJson } from './input';
import { allowedTypes, type JsonType } from './schema-types';

/** One `--arg`, read. */
export interface Argument {
  readonly key: string;
  readonly value: string;
  /** Written `key:=value`: the value is JSON whatever the schema says. */
  readonly json: boolean;
}

/** Reads each `key=value` or `key:=json`. Throws Stop. */
export function readArguments(words: readonly string[]): readonly Argument[] {
  const seen = new Set<string>();
  return words.map((word) => {
    const [, key, colon, value] = /^([^=]*?)(:?)=(.*)$/s.exec(word) ?? [];
    if (!key || value === undefined) {
      throw usage(`\`--arg ${word}\` is not an argument: write \`--arg name=value\`, or \`--arg name:=json\`.`);
    }
    if (seen.has(key)) throw usage(`\`--arg ${key}\` is given twice: give it once, a list as \`${key}:=["a","b"]\`.`);
    seen.add(key);
    if (colon) requireJson(value, `The value of \`${key}:=\``);
    return { key, value, json: colon === ':' };
  });
}

/**
 * The object of arguments as JSON text. A value is a string unless the schema allows none there: then it is JSON, put in
 * as written. Throws Stop for text that is not.
 */
export function argumentsText(given: readonly Argument[], inputSchema?: unknown): string {
  const written = given.map(({ key, value, json }) => {
    const types = json ? undefined : typesOf(key, inputSchema);
    const asString = !json && (types === undefined || types.size === 0 || types.has('string'));
    if (types && !asString) requireTyped(key, value, types);
    return `${JSON.stringify(key)}:${asString ? JSON.stringify(value) : value.trim()}`;
  });
  return `{${written.join(',')}}`;
}

function typesOf(key: string, schema: unknown): ReadonlySet<JsonType> {
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  const declared = isObject(properties) ? own(properties, key) : undefined;
  return allowedTypes(declared ?? (isObject(schema) ? own(schema, 'additionalProperties') : undefined), schema);
}

function requireTyped(key: string, value: string, types: ReadonlySet<JsonType>): void {
  try {
    JSON.parse(value);
  } catch {
    const wanted = [...types].join(' or ');
    throw usage(
      `\`--arg ${key}=${value}\` is not JSON, and the tool takes ${wanted} there: correct it, or send the text anyway by \`--arg '${key}:=${JSON.stringify(value)}'\`.`,
    );
  }
}
