import { useQuery, useQueryClient } from '@tanstack/react-query';
import { DEFAULT_SETTINGS, type Settings } from '@/lib/wire/settings';

const KEY = ['settings'] as const;

/** Returns the settings: the default of each until it is known. */
export function useSettings(): Settings {
  const { data } = useQuery({ queryKey: KEY, queryFn: () => DEFAULT_SETTINGS });
  return data ?? DEFAULT_SETTINGS;
}

/** Returns a function that changes some settings. */
export function useChangeSettings(): (change: Partial<Settings>) => void {
  const queries = useQueryClient();
  return (change) => queries.setQueryData<Settings>(KEY, (settings = DEFAULT_SETTINGS) => ({ ...settings, ...change }));
}
