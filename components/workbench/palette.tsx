import { type KeyboardEvent, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { LOG_VIEWS, PANELS } from '@/components/panels/registry';
import { classNames } from '@/components/ui/class-names';
import { Dialog } from '@/components/ui/dialog';
import { focusForm } from '@/components/ui/focus';
import { Icon, type IconName } from '@/components/ui/icon';
import { activeCommands, activeShortcuts, isKeyAllowed, KeyHint } from '@/components/ui/shortcuts';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/client';
import { useDraft } from '@/lib/hooks/drafts';
import { useLocation } from '@/lib/hooks/location';
import { nextTheme, useTheme } from '@/lib/hooks/theme';
import type { ConnectionSummary } from '@/lib/wire/command';
import { endedRuns } from './connection-list';
import { focusPanelContent } from './keyboard';
import {
  bestMatches,
  commandEntries,
  inOrderOfUse,
  type PaletteCommands,
  type PaletteEntry,
  paletteEntries,
} from './palette-entries';

/** Shortcuts listed as commands. The others move the focus, or open panels, which the palette lists itself. */
const COMMAND_KEYS = new Set(['/', 'm', '?', 'g ,']);

/** The palette with the workbench's entries. They are collected once, so that nothing moves while the user chooses. */
export function WorkbenchPalette({
  connections,
  selected,
  commands,
  openPanel,
  onClose,
}: {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: ConnectionSummary | undefined;
  readonly commands: PaletteCommands;
  readonly openPanel: (panel: string) => void;
  readonly onClose: () => void;
}) {
  const client = useClient();
  const { navigate } = useLocation();
  const [theme, setTheme, systemDark] = useTheme();
  const [entries] = useState((): readonly PaletteEntry[] => {
    const go = {
      navigate: (...to: Parameters<typeof navigate>) => flushSync(() => navigate(...to)),
      openPanel: (panel: string) => flushSync(() => openPanel(panel)),
    };
    const focus = (to: 'panel' | 'item') => {
      focusPanelContent();
      // Resources have no form to focus.
      if (to === 'item') focusForm();
    };
    const ended = endedRuns(connections).length;
    const next = nextTheme(theme, systemDark);
    const state = selected && client.log(selected.id).state;
    const panels = state ? [...PANELS.filter(({ fits }) => fits?.(state) ?? true), ...LOG_VIEWS] : [];
    return [
      ...commandEntries(commands, selected, ended),
      ...activeCommands().map(
        ({ title, keys, isGeneral, run }): PaletteEntry => ({
          id: `message:${title}`,
          group: isGeneral ? 'Command' : 'Message',
          title,
          ...(keys && { keys }),
          run,
        }),
      ),
      { id: 'theme', group: 'Command', title: `Theme: switch to ${next}`, run: () => setTheme(next) },
      ...activeShortcuts()
        .filter(({ keys }) => COMMAND_KEYS.has(keys))
        .map(
          ({ keys, title, run }): PaletteEntry => ({
            id: `key:${keys}`,
            group: 'Command',
            title,
            keys,
            run: () => run(new KeyboardEvent('keydown', { key: keys })),
          }),
        ),
      ...paletteEntries(connections, panels, state, go, focus),
    ];
  });
  const [recent, setRecent] = useDraft<readonly string[]>('palette', NONE);
  const [ordered] = useState(() => inOrderOfUse(entries, recent));
  const onRun = (id: string) => setRecent([id, ...recent.filter((one) => one !== id)].slice(0, MOST_RECENT));
  return <Palette entries={ordered} onRun={onRun} onClose={onClose} />;
}

const NONE: readonly string[] = [];
/** Entries chosen lately that stand first. */
const MOST_RECENT = 5;

/** The icons of entries without one of their own. */
const GROUP_ICONS: Readonly<Record<PaletteEntry['group'], IconName>> = {
  Command: 'forward',
  Message: 'log',
  Connection: 'server',
  Panel: 'browse',
  Tool: 'tools',
  Resource: 'resources',
  Prompt: 'prompts',
};

/** Most entries shown at once. Typing finds the others. */
const MOST = 60;

/** A searchable list of entries. Enter runs the active one. */
export function Palette({
  entries,
  onRun,
  onClose,
}: {
  readonly entries: readonly PaletteEntry[];
  /** Called with the id of an entry that is chosen. */
  readonly onRun?: (id: string) => void;
  readonly onClose: () => void;
}) {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const found = bestMatches(typed, entries, ({ title, group, also = '' }) => `${title} ${group} ${also}`, MOST);
  const choose = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    // Close first: the dialog returns the focus, and the entry may then move it.
    flushSync(onClose);
    onRun?.(entry.id);
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      const next = (active + step + found.length) % found.length;
      setActive(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(found[active]);
    }
  };
  return (
    <Dialog title="Command palette" bare onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Search connections, panels, tools, resources, prompts and commands"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? `${listId}-${active}` : undefined}
        autoFocus
        spellCheck={false}
        autoComplete="off"
        placeholder="Search commands, tools, panels…"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        className="sticky top-0 z-10 h-10 w-full border-b border-line bg-raised px-3 outline-none placeholder:text-muted"
      />
      <div id={listId} role="listbox" aria-label="Results" className="p-1">
        {found.map((entry, index) => (
          <PaletteOption
            key={entry.id}
            id={`${listId}-${index}`}
            entry={entry}
            active={index === active}
            onChoose={() => choose(entry)}
            onActive={() => setActive(index)}
          />
        ))}
      </div>
      {found.length === 0 && <p className="px-3 pb-3 text-muted">No results for “{typed}”</p>}
    </Dialog>
  );
}

function PaletteOption({
  id,
  entry,
  active,
  onChoose,
  onActive,
}: {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly active: boolean;
  readonly onChoose: () => void;
  readonly onActive: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the focus and the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      onClick={onChoose}
      onPointerMove={onActive}
      className={classNames('flex h-7 cursor-pointer items-center gap-2 rounded px-2', active && 'bg-accent/14')}
    >
      <span title={entry.group} className="shrink-0 text-muted">
        <Icon name={entry.icon ?? GROUP_ICONS[entry.group]} />
      </span>
      <bdi className="min-w-0 flex-1 truncate">
        <span className="sr-only">{entry.group} </span>
        {visibleText(entry.title)}
      </bdi>
      {entry.keys && isKeyAllowed(entry.keys) && <KeyHint keys={entry.keys} />}
    </div>
  );
}
