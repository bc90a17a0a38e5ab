import { useEffect } from 'react';
import { StoredChoice, useStoredChoice } from './stored-choice';

/** `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

/** What one press of a toggle leads to. */
export const NEXT_THEME: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

const stored = new StoredChoice<Theme>('mcp-inspect.theme', ['system', 'light', 'dark']);

/** The chosen theme, and how to choose. In force in all of the page as long as one component uses this. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, choose] = useStoredChoice(stored, 'system');
  useEffect(() => {
    const root = document.documentElement;
    root.dataset.theme = theme;
    root.style.colorScheme = theme === 'system' ? 'light dark' : theme;
  }, [theme]);
  return [theme, choose];
}
