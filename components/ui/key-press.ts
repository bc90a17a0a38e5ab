import { OLD_KEYS, type OldKey } from './old-keys';

/**
 * The place of the focus. `field`: text is typed there. `log`: in the message log, but not in a field. `elsewhere`: on
 * a list, a button or another control of the page.
 */
export type KeyPlace = 'body' | 'log' | 'field' | 'elsewhere';

/** The used parts of a KeyboardEvent. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  /** The key is held down. */
  readonly repeat: boolean;
}

export interface KeyContext {
  readonly place: KeyPlace;
  /** A person put the focus there, and it has not been moved since for a while. */
  readonly isSettled: boolean;
  /** The first key of a sequence; '' if there is none. */
  readonly prefix: string;
  /** Whether characters are shortcuts at all. */
  readonly singleKeys: boolean;
  /** On a Mac, Ctrl with a letter edits text, so `mod` is ⌘, and Ctrl only with Enter. */
  readonly isApple: boolean;
}

/**
 * The effect of a key. `leave`: moves the focus to the page's body. `prefix`: begins a sequence. `old`: says which key
 * does the same now. `refuse`: nothing, and the browser must not take the key either.
 */
export type KeyEffect<S> =
  | { readonly do: 'run'; readonly shortcut: S }
  | { readonly do: 'prefix'; readonly key: string }
  | { readonly do: 'old'; readonly old: OldKey }
  | { readonly do: 'leave' | 'refuse' | 'nothing' };

/** The only keys that work while somebody types: they send what is typed. */
export const SEND_KEYS = 'mod+enter';

/** Returns true for ⌘↵ or Ctrl+Enter. */
export function isSendKey({ key, ctrlKey, metaKey, shiftKey }: Omit<KeyPress, 'repeat'>): boolean {
  return key === 'Enter' && (ctrlKey || metaKey) && !shiftKey;
}

/** Returns true for a character, or a sequence of them: `j`, `?`, `g t`. */
export function isSingleKey(keys: string): boolean {
  return keys.split(' ').every((key) => key.length === 1);
}

/** Returns true for a key with ⌘ or Ctrl. */
function isChord(keys: string): boolean {
  return /^(?:mod|ctrl)\+/.test(keys);
}

/**
 * Decides what a key does. The last of several shortcuts with the same keys wins.
 *
 * Nothing that is typed runs a command: keys without ⌘ or Ctrl work only on the page's body and in the log, and only if
 * a person put the focus there. Esc works everywhere, and in a field only Esc and {@link SEND_KEYS} do.
 */
export function decideKey<S extends { readonly keys: string }>(
  press: KeyPress,
  { place, isSettled, prefix, singleKeys, isApple }: KeyContext,
  shortcuts: readonly S[],
): KeyEffect<S> {
  const names = namesOf(press, isApple);
  const [name] = names;
  const sequence = prefix === '' ? name : `${prefix} ${name}`;
  // After the first key of a sequence, the second one alone means nothing.
  const isWhole = prefix === '' || isChord(name);
  const found = shortcuts.findLast(({ keys }) => (isWhole ? names.includes(keys) : keys === sequence));
  if (isChord(name)) {
    if (!found || press.repeat) return { do: 'nothing' };
    if (place === 'field' && found.keys !== SEND_KEYS) return { do: 'refuse' };
    return { do: 'run', shortcut: found };
  }
  const isOpen = (place === 'body' || place === 'log') && isSettled;
  // Esc is never typed.
  if (name === 'Escape' && place !== 'field' && found) return { do: 'run', shortcut: found };
  if (!isOpen) return { do: name === 'Escape' && place !== 'body' && place !== 'log' ? 'leave' : 'nothing' };
  if (found && (singleKeys || !isSingleKey(found.keys))) return { do: 'run', shortcut: found };
  if (!singleKeys) return { do: 'nothing' };
  const old = OLD_KEYS.find(({ keys }) => keys === sequence);
  if (old) return { do: 'old', old };
  const begins = [...shortcuts, ...OLD_KEYS].some(({ keys }) => keys.startsWith(`${name} `));
  return begins ? { do: 'prefix', key: name } : { do: 'nothing' };
}

/** Returns the names of the pressed key, as in a shortcut's `keys`. */
function namesOf({ key, ctrlKey, metaKey, shiftKey }: KeyPress, isApple: boolean): readonly [string, ...string[]] {
  if (!ctrlKey && !metaKey) return [key];
  const rest = `${shiftKey ? 'shift+' : ''}${key.toLowerCase()}`;
  if (metaKey) return [`mod+${rest}`];
  return isApple && !rest.endsWith('enter') ? [`ctrl+${rest}`] : [`ctrl+${rest}`, `mod+${rest}`];
}
