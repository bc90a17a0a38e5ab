import { Suspense, useRef } from 'react';
import { focusForm } from '@/components/ui/focus';
import { BROWSE_GROUPS } from '@/features/browse-groups';
import { BROWSE_VIEWS } from '@/features/page-features';
import { useCallsInFlight } from '@/lib/hooks/calls-in-flight';
import { navigate, useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { usePromptGroup } from '../prompts/prompt-group';
import { useResourceGroup } from '../resources/resource-group';
import type { BrowseGroup } from '../shared/browse-group';
import { Catalogue } from '../shared/catalogue';
import { PANEL_OF_CALL } from '../shared/panel-of-call';
import { useToolGroup } from '../tools/tool-group';
import { BrowseMenu } from './browse-menu';
import { RunningGroup } from './running-group';

/**
 * The server's tools, resources, prompts and the entries of features in one list. Shows the entry that the address
 * names, or else the first.
 */
export function BrowsePanel({ log }: { readonly log: Log }) {
  const { panel: named, item: key } = useLocation();
  const view = BROWSE_VIEWS.find(({ id, firstTool }) => id === named && firstTool);
  const first = useLogState(log, (state) => view?.firstTool?.(state));
  // A view is a tab of the result of its tool.
  const [panel, item] = view ? ['tools', key ?? first] : [named, key];
  const itemOf = (id: string) => (panel === id ? item : undefined);
  const groups: readonly BrowseGroup[] = [
    useToolGroup(log, itemOf('tools')),
    useResourceGroup(log, itemOf('resources')),
    usePromptGroup(log, itemOf('prompts')),
    // biome-ignore lint/correctness/useHookAtTopLevel: the list never changes
    ...BROWSE_GROUPS.map(({ panel: id, useGroup }) => useGroup(log, itemOf(id))),
  ];
  const firstGroup = useFirstGroup(groups);
  const current = groups.find((group) => group.panel === panel) ?? firstGroup;
  const listed = groups.filter(({ items }) => items.length > 0);
  const busy = useBusyEntries(log);
  const items = listed.flatMap(({ panel, title, items }) =>
    items.map((entry) => ({
      ...entry,
      key: addressOf(panel, entry.key),
      isBusy: busy.has(addressOf(panel, entry.key)),
      ...(listed.length > 1 && { group: title }),
    })),
  );
  const note = groups.map((group) => <Suspense key={group.panel}>{group.note}</Suspense>);
  // The code of the entry.
  const drawn = <Suspense>{current.draw()}</Suspense>;
  if (items.length === 0 && current.selected === undefined) {
    return (
      <>
        {note}
        {drawn}
      </>
    );
  }
  const groupOf = (address: string) => groups.find((group) => address.startsWith(`${group.panel} `))!;
  const keyOf = (address: string) => address.slice(address.indexOf(' ') + 1);
  return (
    <Catalogue
      log={log}
      id="browse"
      what={listed.map(({ title }) => title.toLowerCase()).join(', ') || current.panel}
      items={items}
      selected={current.selected === undefined ? undefined : addressOf(current.panel, current.selected)}
      note={note}
      aside={<BrowseMenu log={log} label="More of the server" />}
      foot={<RunningGroup log={log} />}
      onSelect={(address) => navigate({ panel: groupOf(address).panel, item: keyOf(address) })}
      onGroup={(address) => {
        const { panel, selected = keyOf(address) } = groupOf(address);
        navigate({ panel, item: selected });
      }}
      onOpen={(address) => {
        const { onOpen = () => focusForm() } = groupOf(address);
        onOpen(keyOf(address));
      }}
    >
      {drawn}
    </Catalogue>
  );
}

/** Key of an entry in the whole list. */
function addressOf(panel: string, key: string): string {
  return `${panel} ${key}`;
}

/** Time after which an entry has a spinner, in ms. */
const BUSY_AFTER_MS = 300;

/** Returns the keys of the entries whose call is in flight. */
function useBusyEntries(log: Log): ReadonlySet<string> {
  const calls = useCallsInFlight(log, BUSY_AFTER_MS);
  return new Set(
    calls.map((seq) => {
      const { method, name = '' } = log.exchange(seq)!;
      return addressOf(PANEL_OF_CALL.get(method) ?? '', name);
    }),
  );
}

/**
 * Returns the first group that has entries, or that may still get some. Stays with a group once it had entries, so that
 * the entry in view does not change.
 */
function useFirstGroup(groups: readonly BrowseGroup[]): BrowseGroup {
  const chosen = useRef<BrowseGroup['panel']>(undefined);
  const group =
    groups.find(({ panel }) => panel === chosen.current) ??
    groups.find(({ items, isSettled }) => items.length > 0 || !isSettled) ??
    groups[0]!;
  if (group.items.length > 0) chosen.current = group.panel;
  return group;
}
