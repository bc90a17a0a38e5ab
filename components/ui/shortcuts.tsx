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

/** Something to do that has no key, for the palette. */
export interface PaletteCommand {
  /** A verb and its object. */
  readonly title: string;
  readonly run: () => void;
}

const mountedOfPaletteCommands = new Set<{ readonly current: () => readonly PaletteCommand[] }>();

/** Every command that can be given now. */
export function activeCommands(): readonly PaletteCommand[] {
  return [...mountedOfPaletteCommands].flatMap(({ current }) => current());
}

/** Puts commands into the palette while the component is mounted. They are asked for when it opens. */
export function usePaletteCommands(commands: () => readonly PaletteCommand[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    mountedOfPaletteCommands.add(latest);
    return () => void mountedOfPaletteCommands.delete(latest);
  }, []);
}

/** What of a browser's `navigator` tells the platform. */
interface PlatformNames {
  readonly platform?: string;
  readonly userAgentData?: { readonly platform?: string };
}

/** True where the command key is ⌘. */
export function isApple({ userAgentData, platform }: PlatformNames): boolean {
  return /^(?:mac|iphone|ipad|ios)/i.test(userAgentData?.platform || platform || '');
}

/** `mod+k`, `⌘K` or `Escape` as it is printed on this machine's keyboard: `⌘K` or `Ctrl+K`, `Esc`. */
export function keyLabel(key: string, names: PlatformNames = navigator): string {
  const glyphs = key
    .replace(/^mod\+(.)/i, (_all, first: string) => `⌘${first.toUpperCase()}`)
    .replace(/(?<=^|⌘)Enter$/i, '↵')
    .replace(/^Escape$/, 'Esc');
  return isApple(names) ? glyphs : glyphs.replaceAll('⌘', 'Ctrl+');
}

/** A key or a sequence of keys, as it is printed on this machine's keyboard: `⌘K` (Ctrl+K where there is no ⌘), `g t`. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {keys.split(' ').map((key) => (
        <kbd key={key} className="rounded-sm border border-line px-1 font-mono text-small text-muted">
          {keyLabel(key)}
        </kbd>
      ))}
    </span>
  );
}
