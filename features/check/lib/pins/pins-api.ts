// The page's requests about pinned calls, over POST /api/pins.
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

/** A change of the pins file. */
export type PinChange =
  | {
      readonly kind: 'pin';
      readonly method: string;
      readonly params?: string;
      /** The answer to accept, as JSON text. Absent: none yet. */
      readonly answer?: { readonly kind: 'result' | 'error'; readonly text: string };
    }
  | { readonly kind: 'rename'; readonly key: string; readonly name: string }
  | { readonly kind: 'delete'; readonly key: string };

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

export type PinsRequest =
  /** Returns the pins file, or an empty object if it still is this version. */
  | { readonly kind: 'list'; readonly version: string }
  /** Returns the accepted answer of a call. */
  | { readonly kind: 'answer'; readonly key: string }
  | PinChange
  /**
   * Plays calls of the file, and those whose values they use. Without `keys`, plays all. It is answered once it has
   * begun; the verdicts are frames of the log.
   */
  | { readonly kind: 'play'; readonly connection: string; readonly keys?: readonly string[] }
  /** Stops playing. */
  | { readonly kind: 'stop'; readonly connection: string }
  /** Writes the last answers to these calls into the file, as accepted. */
  | { readonly kind: 'accept'; readonly connection: string; readonly keys: readonly string[] };
