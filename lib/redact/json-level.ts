import type { Piece } from './piece';
import { type NamedSecret, namedSecret } from './secret-names';

/** An object or array that has begun. */
export interface Level {
  readonly array: boolean;
  /** Of the member that is read; '' in arrays. */
  key: string;
  /** How many members or items were before it. */
  index: number;
  /** Nothing may follow but a comma or the end. */
  full: boolean;
  /** What it is named, if that is a secret's name. */
  readonly secret: NamedSecret | undefined;
  /** The string before this item. */
  before: string | undefined;
  /** `{"name": "Authorization", "value": "…"}`: what the object says it is called, and where it has its value. */
  label: string | undefined;
  value: Piece | undefined;
  /** What its rows have in each column, once it said what they are called: sparse. */
  columns: (NamedSecret | undefined)[] | undefined;
  /** It says that it is a Secret of Kubernetes; and what stands in its `data` and `stringData`. */
  isSecret: boolean;
  /** Its `PWD` that is a path: a password all the same if it also has a login. */
  directory: Piece | undefined;
  hasLogin: boolean;
  entries: Entry[] | undefined;
}

/** Of a Secret of Kubernetes. */
export interface Entry {
  /** `data` or `stringData`. */
  readonly list: string;
  readonly key: string;
  readonly piece: Piece;
}

/** One that begins; `outer`: those that it stands in. */
export function levelIn(outer: readonly Level[], array: boolean): Level {
  const holder = outer.at(-1);
  const secret = holder && !LISTS_OF_NAMES.test(outer.at(-2)?.key ?? '') ? secretOf(holder) : undefined;
  return {
    array,
    key: '',
    index: 0,
    full: false,
    secret,
    before: undefined,
    label: undefined,
    value: undefined,
    columns: undefined,
    isSecret: false,
    directory: undefined,
    hasLogin: false,
    entries: undefined,
  };
}

/** What an object may be called by, in a member of its own, and what has its value: `Name` and `Value`, `ParameterKey` and `ParameterValue`. */
export const LABEL = /^(?:[a-z]{0,20}(?:Name|Key)|name|key|header|field)$/i;
export const LABELLED = /^[a-z]{0,20}value$/i;
/** Members of an ODBC connection, where `PWD` is a password. Environments have only `UID` of them, as a number. */
export const LOGIN = /^(?:uid|user ?id|dsn|driver|data ?source|(?:initial ?)?catalog)$/i;
/** Members that list what columns are called, and those that list rows. */
export const COLUMNS = /^(?:columns|cols|fields|headers?|columnNames|column_names)$/;
export const ROWS = /^(?:rows|data|values|records|results?|items)$/;
export const MOST_COLUMNS = 4096;
/** Members that are the value of what has the name of a secret: of a schema, or of a wrapper around it. */
const VALUES = /^(?:value|default|const|enum|examples?|data|raw|current)$/;
/** Keywords of schemas whose members list names. */
const LISTS_OF_NAMES = /^(?:dependentRequired|dependencies)$/;

/** Members that say something about what they stand in, and what schemas are made of. */
const ABOUT =
  /^(?:[$].*|type|format|pattern|title|description|name|label|kind|url|uri|href|required|properties|patternProperties|additionalProperties|propertyNames|items|prefixItems|anyOf|oneOf|allOf|not|if|then|else|definitions|dependent\w+|content\w+|createdAt|created_at|updatedAt|updated_at|expires\w*)$/;

/** What strings are that come next, by what they stand in. */
export function secretOf(level: Level): NamedSecret | undefined {
  const { array, key, secret } = level;
  if (array) return secret;
  const named = namedSecret(key, 'member');
  if (!secret || (named && !named.weak)) return named;
  if (VALUES.test(key)) return named ?? secret;
  return secret.weak || ABOUT.test(key) ? named : { ...secret, value: 'solid', numbers: undefined };
}

/** A path, and a member of what is there. */
export function join(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
