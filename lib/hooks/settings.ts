import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { BrowserSettings } from '@/lib/client/browser-settings';
import type { Failure } from '@/lib/wire/lifecycle';
import { DEFAULT_SETTINGS, type Settings, type SettingsReply } from '@/lib/wire/settings';
import { useClient } from './client';

const KEY = ['settings'] as const;
const FAILURE_KEY = ['settings-failure'] as const;

const browser = new BrowserSettings(() => window.localStorage);

/** Returns the settings: those that this browser saw last until they are loaded. */
export function useSettings(): Settings {
  useReply();
  return useSyncExternalStore(subscribe, browser.get, () => DEFAULT_SETTINGS);
}

function subscribe(listener: () => void): () => void {
  // Another tab of this port has changed them.
  const onStorage = () => browser.readAgain();
  window.addEventListener('storage', onStorage);
  const stop = browser.subscribe(listener);
  return () => {
    window.removeEventListener('storage', onStorage);
    stop();
  };
}

/** Loads the settings from the proxy. null without one: this browser keeps them. */
function useReply(): SettingsReply | null | undefined {
  const { api } = useClient();
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal, client: queries }) => {
      const reply = (await api?.get('/api/settings', signal)) ?? null;
      const isOlder = signal.aborted || queries.isMutating({ mutationKey: KEY }) > 0;
      if (reply && !isOlder) browser.set(reply.settings);
      return reply;
    },
    // Another mcp-inspect process may have changed them.
    refetchOnWindowFocus: 'always',
  });
  return data;
}

/** Returns a function that changes some settings: at once on the page, then in the file. */
export function useChangeSettings(): (change: Partial<Settings>) => void {
  const { api } = useClient();
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationKey: KEY,
    // Runs the changes in order, one at a time.
    scope: { id: KEY[0] },
    mutationFn: async ({ change }: { readonly change: Partial<Settings>; readonly before: Settings }) =>
      (await api?.changeSettings(change)) ?? null,
    onSuccess: (reply) => {
      queries.setQueryData(FAILURE_KEY, null);
      if (reply === null || queries.isMutating({ mutationKey: KEY }) > 1) return;
      queries.setQueryData(KEY, reply);
      browser.set(reply.settings);
    },
    onError: (error: unknown, { change, before }) => {
      queries.setQueryData(FAILURE_KEY, error);
      // Only these settings: others may have been changed since.
      const names = Object.keys(change) as (keyof Settings)[];
      browser.set({ ...browser.get(), ...Object.fromEntries(names.map((name) => [name, before[name]])) });
    },
  });
  return (change) => {
    const before = browser.get();
    // A reply under way is older than this change.
    void queries.cancelQueries({ queryKey: KEY });
    browser.set({ ...before, ...change });
    mutate({ change, before });
  };
}

/** The place of the settings, and what went wrong there. */
export interface SettingsPlace {
  /** Absolute path of the file; undefined if this browser keeps the settings. */
  readonly file: string | undefined;
  /** Why the file can't be read. */
  readonly unreadable: Failure | undefined;
  /** Why the last change was not saved, until `dismiss`. */
  readonly unsaved: Failure | undefined;
  readonly dismiss: () => void;
}

export function useSettingsPlace(): SettingsPlace {
  const queries = useQueryClient();
  const reply = useReply();
  const { data } = useQuery<Failure | null>({ queryKey: FAILURE_KEY, queryFn: () => null, initialData: null });
  return {
    file: reply?.file,
    unreadable: reply?.failure,
    unsaved: data ?? undefined,
    dismiss: () => queries.setQueryData(FAILURE_KEY, null),
  };
}
