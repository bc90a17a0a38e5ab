import { StoredSetting, useStoredSetting } from '@/lib/hooks/drafts';

const NONE: readonly string[] = [];
/** Ids of the hosts that a person uses. */
const CHOSEN = new StoredSetting<readonly string[]>(
  'mcp-inspect.hosts',
  (text) => text?.split(' ').filter(Boolean) ?? NONE,
  (ids) => ids.join(' '),
);

/** Returns the hosts that a person uses, and a function that adds or removes one. */
export function useChosenHosts(): {
  readonly chosen: readonly string[];
  readonly choose: (host: string, isChosen: boolean) => void;
} {
  const [chosen, set] = useStoredSetting(CHOSEN, NONE);
  const choose = (host: string, isChosen: boolean) =>
    set([...chosen.filter((one) => one !== host), ...(isChosen ? [host] : [])]);
  return { chosen, choose };
}
