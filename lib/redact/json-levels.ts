import type { MappedText } from './mapped-text';
import { type NamePlace, type SecretName, secretName } from './names';

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
  /** The kind of secret in each column of its rows, once the columns are known. Sparse. */
  columns: (SecretName | undefined)[] | undefined;
  /** Set for a Kubernetes Secret, with the entries of its `data` and `stringData`. */
  isManifest: boolean;
  entries: Entry[] | undefined;
}

/** An entry of a Kubernetes Secret. `list`: `data` or `stringData`. */
export interface Entry {
  readonly list: string;
  readonly key: string;
  readonly piece: MappedText;
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
    columns: undefined,
    isManifest: false,
    entries: undefined,
  };
}

/**
 * Members that give an object its name, and those that hold its value: `Name` and `Value`, `ParameterKey` and
 * `ParameterValue`.
 */
export const LABEL = /^(?:[a-z]{0,20}(?:Name|Key)|name|key|header|field|id|label)$/i;
export const LABELLED = /^[a-z]{0,20}value$/i;
/** Members that list column names, and those that list rows. */
export const COLUMNS = /^(?:columns|cols|fields|headers?|columnNames|column_names)$/;
export const ROWS = /^(?:rows|data|values|records|results?|items)$/;
/** Most columns of a table that are judged. */
export const MOST_COLUMNS = 4096;
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
