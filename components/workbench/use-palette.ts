import { PANELS } from '@/components/panels/registry';
import { useClient } from '@/lib/hooks/use-client';
import { useLocation } from '@/lib/hooks/use-location';
import type { ConnectionSummary } from '@/lib/wire/command';
import { type PaletteEntry, paletteEntries } from './palette-entries';

/** Everything that the palette offers now: commands by their titles, then places. */
export function usePalette(
  connections: readonly ConnectionSummary[],
  selected: ConnectionSummary | undefined,
  commands: Readonly<Record<string, () => void>>,
): readonly PaletteEntry[] {
  const client = useClient();
  const { navigate } = useLocation();
  const state = selected && client.log(selected.id).state;
  return [
    ...Object.entries(commands).map(
      ([title, run]): PaletteEntry => ({ id: `command:${title}`, group: 'Command', title, run }),
    ),
    ...paletteEntries(connections, PANELS, state, navigate),
  ];
}
