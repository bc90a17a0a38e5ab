import { usePaletteCommands } from '@/components/ui/palette-commands';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import { useMessageCommands } from './use-message-commands';

/** Puts what can be done with the selected message into the palette. */
export function DetailCommands({
  log,
  row,
  onSelect,
}: {
  readonly log: Log;
  readonly row: Row;
  readonly onSelect: (seq: number) => void;
}) {
  usePaletteCommands(useMessageCommands(log, row, onSelect));
  return null;
}
