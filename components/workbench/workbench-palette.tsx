import { useState } from 'react';
import { flushSync } from 'react-dom';
import { PANELS } from '@/components/panels/registry';
import { focusForm } from '@/components/ui/focus-form';
import { activeCommands } from '@/components/ui/palette-commands';
import { activeShortcuts } from '@/components/ui/use-shortcuts';
import { useClient } from '@/lib/hooks/use-client';
import { type navigate as Navigate, useLocation } from '@/lib/hooks/use-location';
import { NEXT_THEME, useTheme } from '@/lib/hooks/use-theme';
import type { ConnectionSummary } from '@/lib/wire/command';
import { focusInPanel } from './focus-in-panel';
import { Palette } from './palette';
import { commandEntries, type PaletteCommands, type PaletteEntry, paletteEntries } from './palette-entries';
import { isLive } from './state-words';

/** Shortcuts that are commands of their own; the others move about, or are panels, which the palette has anyway. */
const COMMAND_KEYS = new Set(['/', 'm', '?']);

/** The palette with everything that can be gone to or done: as it was when it opened, so that nothing moves under the hand. */
export function WorkbenchPalette({
  connections,
  selected,
  commands,
  onClose,
}: {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: ConnectionSummary | undefined;
  readonly commands: PaletteCommands;
  readonly onClose: () => void;
}) {
  const client = useClient();
  const { navigate } = useLocation();
  const [theme, setTheme] = useTheme();
  const [entries] = useState((): readonly PaletteEntry[] => {
    const go: typeof Navigate = (...to) => flushSync(() => navigate(...to));
    const focus = (to: 'panel' | 'item') => {
      focusInPanel();
      // Not everything that is listed has a form.
      if (to === 'item') focusForm();
    };
    const ended = connections.filter(({ state }) => !isLive(state)).length;
    const next = NEXT_THEME[theme];
    return [
      ...commandEntries(commands, selected, ended),
      ...activeCommands().map(
        ({ title, run }): PaletteEntry => ({ id: `message:${title}`, group: 'Message', title, run }),
      ),
      { id: 'theme', group: 'Command', title: `Theme: change to ${next}`, run: () => setTheme(next) },
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
      ...paletteEntries(connections, PANELS, selected && client.log(selected.id).state, go, focus),
    ];
  });
  return <Palette entries={entries} onClose={onClose} />;
}
