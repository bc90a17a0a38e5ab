import { useInsertionEffect, useSyncExternalStore } from 'react';
import type { Settings } from '@/lib/wire/settings';
import { useChangeSettings, useSettings } from './settings';

export type Theme = Settings['theme'];

/** Returns the theme after the next press of the toggle. From the system's theme it goes to the other one first. */
export function nextTheme(theme: Theme, systemDark: boolean): Theme {
  const [same, other] = systemDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  return theme === 'system' ? other : theme === other ? same : 'system';
}

/**
 * Returns the chosen theme, how to choose another, and whether the system is dark. Applies theme and density to the
 * whole page while used.
 */
export function useTheme(): [Theme, (theme: Theme) => void, systemDark: boolean] {
  const { theme, density } = useSettings();
  const change = useChangeSettings();
  const dark = useSyncExternalStore(subscribe, isDark, () => false);
  // Before layout effects, in which canvases read the colours.
  useInsertionEffect(() => {
    const root = document.documentElement;
    root.dataset.theme = theme;
    root.dataset.density = density;
    root.style.colorScheme = theme === 'system' ? 'light dark' : theme;
  }, [theme, density]);
  return [theme, (next) => change({ theme: next }), dark];
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
