/** A single key that did something in the past, and now only says what to use. */
export interface OldKey {
  readonly keys: string;
  /** Its former effect: verb and object. */
  readonly did: string;
  /** The keys that do it now. Absent: only a button and the palette do. */
  readonly now?: string;
  /** The button that does it. */
  readonly button: string;
}

/** Releases the held message in view and shows the next one. It is the primary button. */
export const RELEASE_KEYS = 'mod+enter';
/** Not ⌘⇧⌫, with which Chrome on a Mac deletes browsing data. */
export const DROP_KEYS = 'ctrl+shift+backspace';
export const RELEASE_ALL_KEYS = 'mod+shift+enter';

/**
 * Commands that write a file, send a message or change the server have no single key any more: letters that were meant
 * for a form ran them. Browsers leave the keys with ⌘ or Ctrl free.
 */
export const OLD_KEYS: readonly OldKey[] = [
  { keys: 'i', did: 'pinned the call', button: 'Pin the call' },
  { keys: 'y', did: 'sent the recorded request again', button: 'Send it again' },
  { keys: 'n', did: 'added a note', button: 'Add note' },
  { keys: 'b', did: 'bookmarked the message', button: 'Add bookmark' },
  { keys: 'w', did: 'held everything', button: 'Hold everything' },
  { keys: 'F', did: 'released all held messages', now: RELEASE_ALL_KEYS, button: 'Release all' },
  { keys: 'f', did: 'released the held message', now: RELEASE_KEYS, button: 'Release' },
  { keys: 'd', did: 'dropped the held message', now: DROP_KEYS, button: 'Drop' },
  { keys: 'r p', did: 'pinged the server', button: 'Ping' },
  { keys: 'r d', did: 'sent server/discover', button: 'Discover' },
  { keys: 'r c', did: 'opened the completion form', button: 'Complete…' },
  { keys: 'r l', did: 'opened the form to listen', button: 'Listen…' },
];
