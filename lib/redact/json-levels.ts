import type { MappedText } from './mapped-text';
import type { NamePlace, SecretName } from './name-rows';
import { secretName } from './names';

/** An object or array being read. */
export interface Level {
  readonly array: boolean;
  /** Its members are headers, variables or others. */
  readonly place: NamePlace;
  /** Name of the current member; '' in arrays. */
  key: string;
  /** Number of members or items before this one. */
  index: number;
  /** Only a comma or the end may follow. */
  full: boolean;
  /** Set if the object's or array's own name is a secret's name. */
  readonly secret: SecretName | undefined;
  /** The string before this item. */
  before: string | undefined;
  /** For `{"name": "Authorization", "value": "…"}`: the name that the object gives itself, and its value. */
  label: string | undefined;
  value: MappedText | undefined;
}

/** Opens an object or array within `outer`. */
export function openLevel(outer: readonly Level[], array: boolean): Level {
  const holder = outer.at(-1);
  const secret = holder && !LISTS_OF_NAMES.test(outer.at(-2)?.key ?? '') ? secretOf(holder, 'member') : undefined;
  const owner = holder?.key ?? '';
  return {
    array,
    place: /headers$/i.test(owner) ? 'header' : /^env(?:ironment)?$/i.test(owner) ? 'variable' : 'member',
    key: '',
    index: 0,
    full: false,
    secret,
    before: undefined,
    label: undefined,
    value: undefined,
  };
}

/**
 * Members that give an object its name, and those that hold its value: `Name` and `Value`, `ParameterKey` and
 * `ParameterValue`.
 */
export const LABEL = /^(?:[a-z]{0,20}(?:Name|Key)|name|key|header|field|id|label)$/i;
export const LABELLED = /^[a-z]{0,20}value$/i;
/** Members that hold the value of something with a secret's name, in a schema or a wrapper. */
const VALUES = /^(?:value|default|const|enum|examples?|data|raw|current)$/;
/** Schema keywords whose members list names. */
const LISTS_OF_NAMES = /^(?:dependentRequired|dependencies|required)$/;
/** Members that describe their object, and schema keywords. */
const ABOUT =
  /^(?:[$].*|type|format|pattern|title|description|name|label|kind|url|uri|href|required|properties|patternProperties|additionalProperties|propertyNames|items|prefixItems|anyOf|oneOf|allOf|not|if|then|else|definitions|dependent\w+|content\w+|createdAt|created_at|updatedAt|updated_at|expires\w*|id|user\w*|host|in|scheme|email|login)$/;

/** Returns the kind of secret in the next strings of a level. */
export function secretOf({ array, key, secret }: Level, place: NamePlace): SecretName | undefined {
  if (array) return secret;
  const named = secretName(key, place);
  if (!secret || (named && named.grade !== 'weak')) return named;
  if (VALUES.test(key)) return named ?? secret;
  return secret.grade === 'weak' || ABOUT.test(key) ? named : { ...secret, grade: 'likely' };
}

/** Returns the path of a member. */
export function joinPath(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
