import { useEffect, useRef } from 'react';
import { decideKey, isSingleKey, type KeyPlace } from './key-press';
import type { OldKey } from './old-keys';
import { beginAct, focused, followFocus, pageFocus } from './page-focus';

/**
 * A key, or a sequence of two. Without ⌘ or Ctrl it works on the page's body and in the message log, if a person put
 * the focus there. A command that writes a file, sends a message or changes the server needs ⌘ or Ctrl.
 */
export interface Shortcut {
  /**
   * `KeyboardEvent.key` names, with a space between two presses: `j`, `g t`, `Escape`, `mod+k` (⌘ or Ctrl),
   * `ctrl+shift+backspace`.
   */
  readonly keys: string;
  /** Verb and object, for the list of shortcuts. */
  readonly title: string;
  readonly run: (event: KeyboardEvent) => void;
}

/** Inputs that don't take text. */
const UNTYPED = 'input:is([type=range], [type=checkbox], [type=radio])';

/** Elements that take the focus of a click on an empty place of the page, and have no use for keys. */
const PLACES = '[role=tabpanel], section[tabindex="-1"]';

/** Marks the message log, where single keys work. */
export const KEYS_WORK = { 'data-keys': '' };

/** Longest pause between the two presses of a sequence, in ms. */
const SEQUENCE_MS = 1500;

/** Groups of shortcuts by the part of the page that has them, in the order of the list. */
export const SHORTCUT_GROUPS = ['This view', 'Message log', 'Everywhere', 'Go to'] as const;

type ShortcutGroup = (typeof SHORTCUT_GROUPS)[number];

/** Shortcuts of a component, with where they belong. */
const mounted = new Map<{ readonly current: readonly Shortcut[] }, ShortcutGroup>();
let stopListening: AbortController | undefined;
let prefix = '';
let prefixAt = 0;
let singleKeys = true;
let onOldKey: (old: OldKey) => void = () => {};

/** Sets whether characters are shortcuts, alone or as a sequence. Other keys and those with ⌘ or Ctrl always are. */
export function allowSingleKeys(allowed: boolean): void {
  singleKeys = allowed;
}

/** Returns false for keys that are turned off. */
export function isKeyAllowed(keys: string): boolean {
  return singleKeys || !isSingleKey(keys);
}

/** Sets what is called for a key that has no meaning any more. */
export function setOldKeyListener(listener: (old: OldKey) => void): void {
  onOldKey = listener;
}

/** Returns the shortcuts of what is on the page now, in the order they were mounted. */
export function activeShortcuts(): Shortcut[] {
  return [...mounted.keys()].flatMap((list) => list.current);
}

/** Returns the shortcuts of a group that are on the page now. */
export function shortcutsOf(group: ShortcutGroup): Shortcut[] {
  return [...mounted].flatMap(([{ current }, own]) =>
    current.filter(({ keys }) => (keys.startsWith('g ') ? 'Go to' : own) === group),
  );
}

/** Enables shortcuts while the component is mounted. The array may change with each render, the group not. */
export function useShortcuts(shortcuts: readonly Shortcut[], group: ShortcutGroup = 'This view'): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    if (mounted.size === 0) listen();
    mounted.set(latest, group);
    return () => {
      mounted.delete(latest);
      if (mounted.size === 0) stopListening?.abort();
    };
  }, [group]);
}

function listen(): void {
  stopListening = new AbortController();
  const { signal } = stopListening;
  followFocus(signal);
  document.addEventListener('keydown', onKeyDown, { signal });
}

/** Returns the field around an element: a form control, the JSON editor, or any other text that can be edited. */
function fieldOf(element: Element | undefined): Element | undefined {
  const field = element?.closest('input, textarea, select, .monaco-editor');
  return field ?? (element instanceof HTMLElement && element.isContentEditable ? element : undefined);
}

/** Returns true if text is typed into this element. */
export function takesText(element: Element | null): boolean {
  const field = fieldOf(element ?? undefined);
  return field !== undefined && !field.matches(UNTYPED);
}

function placeOf(target: Element | undefined, key: string): KeyPlace {
  const field = fieldOf(target);
  // Sliders and checkboxes use arrows, Home and End, but not letters.
  if (field && !(field.matches(UNTYPED) && key.length === 1)) return 'field';
  const element = focused();
  if (element === undefined || element.matches(PLACES)) return 'body';
  return target?.closest('[data-keys]') && !target.closest('[role=menu]') ? 'log' : 'elsewhere';
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  // A modal dialog takes all keys.
  if (document.querySelector('dialog[open]')) return;
  const target = event.target instanceof Element ? event.target : undefined;
  const { key, timeStamp } = event;
  // Enter and space activate the focused element: once, also while the key is held. They were meant for another one if
  // that has just disappeared.
  if ((key === 'Enter' || key === ' ') && !isModified(event) && target?.closest('button, a, summary')) {
    if (event.repeat || pageFocus.isRecovered) event.preventDefault();
    return;
  }
  const effect = decideKey(
    event,
    {
      place: placeOf(target, key),
      isSettled: pageFocus.isSettled,
      prefix: timeStamp - prefixAt < SEQUENCE_MS ? prefix : '',
      singleKeys,
      isApple: isApple(navigator),
    },
    activeShortcuts(),
  );
  prefix = '';
  if (effect.do === 'run') {
    event.preventDefault();
    beginAct('command');
    effect.shortcut.run(event);
  } else if (effect.do === 'refuse') {
    event.preventDefault();
  } else if (effect.do === 'leave') {
    leave(fieldOf(target));
  } else if (effect.do === 'old') {
    onOldKey(effect.old);
  } else if (effect.do === 'prefix') {
    prefix = effect.key;
    prefixAt = timeStamp;
  }
}

function isModified({ metaKey, ctrlKey }: KeyboardEvent): boolean {
  return metaKey || ctrlKey;
}

/** Moves the focus to the page's body. The Tab key goes on from the element that was left. */
function leave(field: Element | undefined): void {
  // In a search box that has text, the browser first clears it.
  if (field instanceof HTMLInputElement && field.type === 'search' && field.value !== '') return;
  const element = focused();
  if (element instanceof HTMLElement) element.blur();
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
    .replace(/^mod\+/i, '⌘')
    .replace(/^ctrl\+/i, '⌃')
    .replace(/(?<=^[⌘⌃])shift\+/i, '⇧')
    .replace(/(?<=^[⌘⌃])[a-z]$/, (letter) => letter.toUpperCase())
    .replace(/(?<=^|[⌘⇧])Enter$/i, '↵')
    .replace(/(?<=⇧)Backspace$/i, '⌫')
    .replace(/^Escape$/, 'Esc');
  return isApple(names) ? glyphs : glyphs.replace(/[⌘⌃]/g, 'Ctrl+').replace('⇧', 'Shift+');
}

/** Shows a key or a sequence of keys as printed on this platform's keyboard. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {keys.split(' ').map((key) => (
        <kbd key={key} className="rounded-sm border border-line px-1 font-mono text-small text-muted">
          {keyLabel(key).replaceAll('+', ' ')}
        </kbd>
      ))}
    </span>
  );
}
