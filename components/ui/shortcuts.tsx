import { useEffect, useRef } from 'react';

/** A key, or a sequence of two, that works anywhere on the page. */
export interface Shortcut {
  /** `KeyboardEvent.key` names, with a space between two presses: `j`, `g t`, `mod+k` (⌘ or Ctrl), `Escape`. */
  readonly keys: string;
  /** Verb and object, for the list of shortcuts. */
  readonly title: string;
  readonly run: (event: KeyboardEvent) => void;
  /** True if it works while a text box has the focus. */
  readonly whileTyping?: boolean;
}

/** Inputs that don't take text. */
const UNTYPED = 'input:is([type=range], [type=checkbox], [type=radio])';

/** Longest pause between the two presses of a sequence, in ms. */
const SEQUENCE_MS = 1500;

const mounted = new Set<{ readonly current: readonly Shortcut[] }>();
let prefix = '';
let prefixAt = 0;
let singleKeys = true;

/** Sets whether characters are shortcuts, alone or as a sequence. Other keys and those with ⌘ or Ctrl always are. */
export function allowSingleKeys(allowed: boolean): void {
  singleKeys = allowed;
}

/** Returns true for a character, or a sequence of them: `j`, `?`, `g t`. */
export function isSingleKey(keys: string): boolean {
  return keys.split(' ').every((key) => key.length === 1);
}

/** Returns false for keys that are turned off. */
export function isAllowed(keys: string): boolean {
  return singleKeys || !isSingleKey(keys);
}

/** Returns the shortcuts of what is on the page now, in the order they were mounted. */
export function activeShortcuts(): Shortcut[] {
  return [...mounted].flatMap((list) => list.current);
}

/** Enables shortcuts while the component is mounted. The array may change with each render. */
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

/** Returns the field around an element: a form control, the JSON editor, or any other text that can be edited. */
function fieldOf(element: Element | undefined): Element | undefined {
  const field = element?.closest('input, textarea, select, .monaco-editor');
  return field ?? (element instanceof HTMLElement && element.isContentEditable ? element : undefined);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  // A modal dialog takes all keys.
  if (document.querySelector('dialog[open]')) return;
  const target = event.target instanceof Element ? event.target : undefined;
  const pressed = event.metaKey || event.ctrlKey ? `mod+${event.key.toLowerCase()}` : event.key;
  const field = fieldOf(target);
  // Sliders and checkboxes use arrows, Home and End, but not letters.
  const typing = field !== undefined && !(field.matches(UNTYPED) && event.key.length === 1);
  // Enter and space activate the focused element.
  if ((pressed === 'Enter' || pressed === ' ') && target?.closest('button, a, summary')) return;
  const sequence = prefix !== '' && event.timeStamp - prefixAt < SEQUENCE_MS ? `${prefix} ${pressed}` : pressed;
  prefix = '';
  const all = activeShortcuts().filter(({ keys, whileTyping }) => isAllowed(keys) && (!typing || whileTyping));
  const found = all.findLast((shortcut) => shortcut.keys === sequence);
  if (found) {
    event.preventDefault();
    found.run(event);
  } else if (field && pressed === 'Escape') {
    // In a search box that has text, the browser first clears it. The Tab key goes on from the field that was left.
    const clears = field instanceof HTMLInputElement && field.type === 'search' && field.value !== '';
    const focused = document.activeElement;
    if (!clears && focused instanceof HTMLElement && field.contains(focused)) focused.blur();
  } else if (all.some((shortcut) => shortcut.keys.startsWith(`${pressed} `))) {
    prefix = pressed;
    prefixAt = event.timeStamp;
  }
}

/** A command of the palette about what is on the page. */
export interface PaletteCommand {
  /** Verb and object. */
  readonly title: string;
  /** The shortcut that does the same. */
  readonly keys?: string;
  /** It is about the whole page, not about a message. */
  readonly isGeneral?: true;
  readonly run: () => void;
}

const mountedCommands = new Set<{ readonly current: () => readonly PaletteCommand[] }>();

/** Returns the commands that are available now. */
export function activeCommands(): readonly PaletteCommand[] {
  return [...mountedCommands].flatMap(({ current }) => current());
}

/** Adds commands to the palette while the component is mounted. `commands` is called when the palette opens. */
export function usePaletteCommands(commands: () => readonly PaletteCommand[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    mountedCommands.add(latest);
    return () => void mountedCommands.delete(latest);
  }, []);
}

/** The parts of `navigator` that name the platform. */
interface PlatformNames {
  readonly platform?: string;
  readonly userAgentData?: { readonly platform?: string };
}

/** Returns true on platforms with a ⌘ key. */
export function isApple({ userAgentData, platform }: PlatformNames): boolean {
  return /^(?:mac|iphone|ipad|ios)/i.test(userAgentData?.platform || platform || '');
}

/**
 * Returns a key as printed on this platform's keyboard: `mod+k` and `⌘K` become `⌘K` or `Ctrl+K`, `Escape` becomes
 * `Esc`.
 */
export function keyLabel(key: string, names: PlatformNames = navigator): string {
  const glyphs = key
    .replace(/^mod\+(.)/i, (_all, first: string) => `⌘${first.toUpperCase()}`)
    .replace(/(?<=^|⌘)Enter$/i, '↵')
    .replace(/^Escape$/, 'Esc');
  return isApple(names) ? glyphs : glyphs.replaceAll('⌘', 'Ctrl+');
}

/** Shows a key or a sequence of keys as printed on this platform's keyboard. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {keys.split(' ').map((key) => (
        <kbd key={key} className="rounded-sm border border-line px-1 font-mono text-small text-muted">
          {keyLabel(key).replace('Ctrl+', 'Ctrl ')}
        </kbd>
      ))}
    </span>
  );
}
