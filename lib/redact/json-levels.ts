import { isListed } from './layouts';
import type { MappedText } from './mapped-text';
import { ABOUT, LABELLED, type NamePlace, type SecretName } from './name-rows';
import { secretName } from './names';
import type { Tie } from './secret-values';

/** An object or array being read. */
export interface JsonLevel {
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
  /** For `{"type": "password", "value": "…"}`: what the object is. */
  kind: string | undefined;
  /** For `{"columns": ["id", "password"], "rows": [[1, "…"]]}`: the names, in their object and while they are read. */
  columns: string[] | undefined;
}

/** Opens an object or array within `outer`. */
export function openLevel(outer: readonly JsonLevel[], array: boolean): JsonLevel {
  const holder = outer.at(-1);
  const owner = holder?.key ?? '';
  const place = /headers$/i.test(owner) ? 'header' : /^env(?:ironment)?$/i.test(owner) ? 'variable' : 'member';
  const secret =
    holder &&
    (labelledSecret(holder) ?? (owner.includes('/') ? undefined : secretOf(holder, 'member')) ?? ofManifest(holder));
  return {
    array,
    place,
    secret,
    key: '',
    index: 0,
    full: false,
    before: undefined,
    label: undefined,
    value: undefined,
    kind: undefined,
    columns: array && COLUMNS.test(owner) ? [] : undefined,
  };
}

const COLUMNS = /^(?:columns|fields|headers?|column_?names)$/i;

/** Returns the kind of secret in the data of a Secret of Kubernetes. */
function ofManifest({ kind, key }: JsonLevel): SecretName | undefined {
  return kind === 'Secret' && /^(?:data|stringData)$/.test(key) ? { rule: 'secret', grade: 'likely' } : undefined;
}

/** Members of objects that only say which type a value has. */
const TYPED_VALUE = /^(?:string|bytes|array|kvlist)Value$/;

/**
 * Returns the kind of secret in an object that a label before it names, as in attributes of OpenTelemetry:
 * `{"key": "db.password", "value": {"stringValue": "…"}}`.
 */
function labelledSecret({ array, key, label }: JsonLevel): SecretName | undefined {
  return array || label === undefined || !LABELLED.test(key) ? undefined : secretName(label, 'variable');
}

/** Returns the kind of secret in the next strings of a level. */
function secretOf({ array, key, secret }: JsonLevel, place: NamePlace): SecretName | undefined {
  if (array) return secret;
  const named = secretName(key, place);
  if (secret && TYPED_VALUE.test(key)) return secret;
  if (!secret || secret.grade === 'weak' || ABOUT.test(key) || (named && named.grade !== 'weak')) return named;
  return { ...secret, grade: 'likely' };
}

/** A kind of secret, and how closely a string is tied to the name that says so. */
export interface NamedString {
  readonly secret: SecretName;
  readonly tie: Tie;
}

function as(secret: SecretName | undefined, tie: Tie): NamedString | undefined {
  return secret && { secret, tie };
}

/** Returns what names make of the next string of the last level; undefined for none. */
export function namedHere(levels: readonly JsonLevel[], text: string): NamedString | undefined {
  const level = levels.at(-1);
  if (!level) return undefined;
  if (!level.array) {
    // The private part of a JSON Web Key.
    if (level.key === 'd' && /^[\w-]{40,}$/.test(text)) return as({ rule: 'private-key', grade: 'likely' }, 'data');
    return as(secretOf(level, level.place), level.place === 'member' ? 'data' : 'setting');
  }
  const { before, index, secret } = level;
  if (before?.startsWith('-') && !text.startsWith('-'))
    return as(secretName(before.replace(/^-+/, ''), 'flag'), 'setting');
  // Names and values alternate, as in Node's `rawHeaders`, or come in pairs.
  const outer = levels.at(-2);
  const owner = outer?.array ? index === 1 && levels.at(-3)?.key : index % 2 === 1 && outer?.key;
  if (owner && before !== undefined && /headers$/i.test(owner)) return as(secretName(before, 'header'), 'setting');
  const inTable = levels.at(-3)?.columns?.[index];
  if (outer?.array && inTable !== undefined) return as(listedName(inTable, text), 'prose');
  if (outer?.array && index === 1 && before !== undefined) return as(listedName(before, text), 'prose');
  return as(secret?.grade === 'sure' ? { ...secret, grade: 'likely' } : secret, 'data');
}

/** Returns the kind of secret of a name beside its value; undefined if that is a name, too. */
function listedName(name: string, value: string): SecretName | undefined {
  const secret = secretName(name, 'member');
  return secret && secret.grade !== 'weak' && isListed(value, secret) ? secret : undefined;
}

/** Returns what makes the value of an object a secret: its label or, if that is a value of its own, its kind. */
export function secretOfValue({ label, kind, value }: JsonLevel): NamedString | undefined {
  const named = label === undefined ? undefined : secretName(label, 'variable');
  if (named || !value || kind === undefined) return as(named, 'setting');
  return as(listedName(kind, value.text), 'prose');
}

/** Returns the path of a member. */
export function joinPath(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
