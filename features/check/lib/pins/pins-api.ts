// The page's requests about pinned calls, over POST /api/pins.
import { tryParseJson } from '@/lib/json/exact';
import { atMostChars, type Checked, isText, kindsWith, listOf, objectWith, oneOf, optional } from '@/lib/json/value';
import type { Failure } from '@/lib/wire/lifecycle';

/** A call of the pins file. */
export interface PinEntry {
  /** Stands for method and params. Equal calls get a number, too. */
  readonly key: string;
  readonly name: string;
  readonly method: string;
  /** The tool, prompt or resource. */
  readonly target?: string;
  /** JSON text, at most `PIN_PARAMS_CHARS` of it. */
  readonly params: string;
  readonly paramsChars: number;
  /** Absent: nothing is accepted yet. */
  readonly accepted?: { readonly kind: 'result' | 'error'; readonly chars: number; readonly digest: string };
  /** Names of the environment's variables that it sends to the server. */
  readonly reads: readonly string[];
  /** Names of the values that later calls use. */
  readonly saves: readonly string[];
  /** Places of the answer that are not compared. */
  readonly ignores: number;
}

/** Characters of a call's params that a list shows. */
export const PIN_PARAMS_CHARS = 2000;

/** The pins file. */
export interface PinsReply {
  /** Absolute path of the file, which may not exist yet. */
  readonly path: string;
  /** Changes whenever the file does. '' without a file. */
  readonly version: string;
  /** Why the file can't be used. */
  readonly failure?: Failure;
  readonly pins: readonly PinEntry[];
}

/** The answer to a change. */
export interface PinChangedReply {
  readonly pins: PinsReply;
  /** Key of the call that was pinned. */
  readonly key?: string;
  /** The call was in the file already; its accepted answer was replaced. */
  readonly again?: true;
  /** Secrets of the call, or only of its answer, were masked. */
  readonly masked?: 'call' | 'answer';
}

/** Characters of a call's name or method. */
const NAME_CHARS = 300;
const isKey = atMostChars(40);
const isName = atMostChars(NAME_CHARS);
const isJson = (value: unknown): value is string => isText(value) && tryParseJson(value).ok;

/** Accepts a request of the page. */
export const isPinsRequest = kindsWith('kind', {
  /** Returns the pins file, or an empty object if it still is this version. */
  list: { version: isText },
  /** Returns the accepted answer of a call. */
  answer: { key: isKey },
  /** `answer`: the one to accept, as JSON text. Absent: none yet. */
  pin: {
    method: (value: unknown): value is string => value !== '' && isName(value),
    params: optional(isJson),
    answer: optional(objectWith({ kind: oneOf('result', 'error'), text: isJson })),
  },
  rename: { key: isKey, name: isName },
  delete: { key: isKey },
  /**
   * Plays calls of the file, and those whose values they use. Without `keys`, plays all. It is answered once it has
   * begun; the verdicts are frames of the log.
   */
  play: { connection: isText, keys: optional(listOf(isKey)) },
  /** Stops playing. */
  stop: { connection: isText },
  /** Writes the last answers to these calls into the file, as accepted. */
  accept: { connection: isText, keys: listOf(isKey) },
});
export type PinsRequest = Checked<typeof isPinsRequest>;

/** A change of the pins file. */
export type PinChange = Extract<PinsRequest, { readonly kind: 'pin' | 'rename' | 'delete' }>;
