import { Suspense, useRef } from 'react';
import { focusForm } from '@/components/ui/focus';
import { Icon } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import { navigate, useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { formatCount } from '@/lib/wire/format';
import { hasApps } from '../apps/has-apps';
import { usePromptGroup } from '../prompts/prompt-group';
import { useResourceGroup } from '../resources/resource-group';
import type { BrowseGroup } from '../shared/browse-group';
import { Catalogue } from '../shared/catalogue';
import { useSkillGroup } from '../skills/skill-group';
import { hasTasks } from '../tasks/task-terms';
import { useToolGroup } from '../tools/tool-group';

/**
 * The server's tools, resources, prompts and skills in one list. Shows the entry that the address names, or else the
 * first.
 */
export function BrowsePanel({ log }: { readonly log: Log }) {
  const { panel, item } = useLocation();
  const itemOf = (id: BrowseGroup['panel']) => (panel === id ? item : undefined);
  const groups: readonly BrowseGroup[] = [
    useToolGroup(log, itemOf('tools')),
    useResourceGroup(log, itemOf('resources')),
    usePromptGroup(log, itemOf('prompts')),
    useSkillGroup(log, itemOf('skills')),
  ];
  const first = useFirstGroup(groups);
  const current = groups.find((group) => group.panel === panel) ?? first;
  const listed = groups.filter(({ items }) => items.length > 0);
  const items = listed.flatMap(({ panel, title, items }) =>
    items.map((entry) => ({
      ...entry,
      key: addressOf(panel, entry.key),
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
      aside={<BrowseMenu log={log} />}
      groups={
        listed.length < 2
          ? undefined
          : (clear) => <GroupButtons groups={listed} current={current.panel} onOpen={clear} />
      }
      onSelect={(address) => navigate({ panel: groupOf(address).panel, item: keyOf(address) })}
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

/** Leads to each group of the list, and says how many entries it has. */
function GroupButtons({
  groups,
  current,
  onOpen,
}: {
  readonly groups: readonly BrowseGroup[];
  readonly current: string;
  readonly onOpen: () => void;
}) {
  return (
    <div className="-mt-1 flex shrink-0 gap-0.5 px-1 pb-1">
      {groups.map(({ panel, title, items, selected }) => (
        <button
          key={panel}
          type="button"
          aria-label={title}
          aria-pressed={panel === current}
          onClick={() => {
            onOpen();
            navigate({ panel, item: selected });
          }}
          className="flex h-6 min-w-0 items-center gap-1 rounded px-1 text-small text-muted hover:bg-text/6 hover:text-text aria-pressed:text-text"
        >
          <span className="truncate">{title}</span>
          <span className="tabular">{formatCount(items.length)}</span>
        </button>
      ))}
    </div>
  );
}

/** Leads to what belongs to no entry: the tasks that the server runs, and its apps. */
function BrowseMenu({ log }: { readonly log: Log }) {
  const running = useLogState(log, ({ tasks }) => tasks.running);
  const apps = useLogState(log, hasApps);
  const tasks = useLogState(log, hasTasks);
  if (!apps && !tasks) return null;
  return (
    <Menu
      label="More of the server"
      items={() => [
        ...(tasks
          ? [
              {
                label: running > 0 ? `Tasks (${formatCount(running)} running)` : 'Tasks',
                run: () => navigate({ panel: 'tasks', item: undefined }),
              },
            ]
          : []),
        ...(apps ? [{ label: 'Apps', run: () => navigate({ panel: 'apps', item: undefined }) }] : []),
      ]}
    >
      <Icon name="more" />
    </Menu>
  );
}
