import { useEffect, useSyncExternalStore } from 'react';

/** `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

/** What one press of a toggle leads to. */
export const NEXT_THEME: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

const THEMES: readonly string[] = ['system', 'light', 'dark'] satisfies Theme[];
const KEY = 'mcp-inspect.theme';
const listeners = new Set<() => void>();
/** undefined: not read yet. */
let chosen: Theme | undefined;

/** The chosen theme, and how to choose. Kept across runs; in force in all of the page as long as one component uses this. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, current, () => 'system' as const);
  useEffect(() => {
    const root = document.documentElement;
    root.dataset.theme = theme;
    root.style.colorScheme = theme === 'system' ? 'light dark' : theme;
  }, [theme]);
  return [theme, choose];
}

function current(): Theme {
  chosen ??= read();
  return chosen;
}

function choose(theme: Theme): void {
  chosen = theme;
  try {
    window.localStorage.setItem(KEY, theme);
  } catch {
    // Where storage is forbidden the choice lasts until the reload.
  }
  for (const listener of [...listeners]) listener();
}

function read(): Theme {
  try {
    const stored = window.localStorage.getItem(KEY) ?? 'system';
    return THEMES.includes(stored) ? (stored as Theme) : 'system';
  } catch {
    return 'system';
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
