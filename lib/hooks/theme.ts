import { useEffect, useSyncExternalStore } from 'react';
import { StoredChoice, useStoredChoice } from './drafts';

/** `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

/** The theme after the next press of the toggle. */
export const NEXT_THEME: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

const stored = new StoredChoice<Theme>('mcp-inspect.theme', ['system', 'light', 'dark']);

/**
 * Returns the chosen theme, how to choose another, and whether the system is dark. Applies to the whole page while
 * used.
 */
export function useTheme(): [Theme, (theme: Theme) => void, systemDark: boolean] {
  const [theme, choose] = useStoredChoice(stored, 'system');
  const dark = useSyncExternalStore(subscribe, isDark, () => false);
  useEffect(() => {
    const root = document.documentElement;
    root.dataset.theme = theme;
    root.style.colorScheme = theme === 'system' ? 'light dark' : theme;
  }, [theme]);
  return [theme, choose, dark];
}

const SYSTEM = '(prefers-color-scheme: dark)';

function isDark(): boolean {
  return matchMedia(SYSTEM).matches;
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(SYSTEM);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
