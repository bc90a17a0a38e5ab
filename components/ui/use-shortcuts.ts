import { useEffect, useRef } from 'react';

/** A key, or two in a row, that does something anywhere on the page. */
export interface Shortcut {
  /** `j`, `g t`, `mod+k` (⌘ or Ctrl), `Escape`: `KeyboardEvent.key` names, a space between two presses. */
  readonly keys: string;
  /** A verb and its object, for the list of all shortcuts. */
  readonly title: string;
  readonly run: (event: KeyboardEvent) => void;
  /** True if it works while a text box has the focus. */
  readonly whileTyping?: boolean;
}

/** Inputs that take no text. */
const UNTYPED = 'input:is([type=range], [type=checkbox], [type=radio])';

/** Longest pause between the two presses of a sequence. */
const SEQUENCE_MS = 1500;

const mounted = new Set<{ readonly current: readonly Shortcut[] }>();
let prefix = '';
let prefixAt = 0;

/** Every shortcut that works now, in the order they were mounted. */
export function activeShortcuts(): Shortcut[] {
  return [...mounted].flatMap((list) => [...list.current]);
}

/** Makes these shortcuts work while the component is mounted. The array may be a new one each render. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    if (mounted.size === 0) document.addEventListener('keydown', onKeyDown);
    mounted.add(latest);
    return () => {
      mounted.delete(latest);
      if (mounted.size === 0) document.removeEventListener('keydown', onKeyDown);
    };
  }, []);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  // A modal has the keyboard to itself.
  if (document.querySelector('dialog[open]')) return;
  const target = event.target instanceof Element ? event.target : undefined;
  const pressed = event.metaKey || event.ctrlKey ? `mod+${event.key.toLowerCase()}` : event.key;
  const field = target?.closest('input, textarea, select, [contenteditable="true"], .monaco-editor');
  // A letter means nothing to a slider or a box; arrows, Home and End do.
  const typing = field != null && !(field.matches(UNTYPED) && event.key.length === 1);
  // Enter and space belong to what has the focus.
  if ((pressed === 'Enter' || pressed === ' ') && target?.closest('button, a, summary')) return;
  const sequence = prefix !== '' && event.timeStamp - prefixAt < SEQUENCE_MS ? `${prefix} ${pressed}` : pressed;
  prefix = '';
  const all = activeShortcuts().filter((shortcut) => !typing || shortcut.whileTyping);
  const found = all.findLast((shortcut) => shortcut.keys === sequence);
  if (found) {
    event.preventDefault();
    found.run(event);
  } else if (all.some((shortcut) => shortcut.keys.startsWith(`${pressed} `))) {
    prefix = pressed;
    prefixAt = event.timeStamp;
  }
}
