import { type MenuItem, MenuList } from '@/components/ui/menu-list';
import { useLocation } from '@/lib/hooks/location';
import { useFrameBytes, useLogState } from '@/lib/hooks/log';
import { hasEnded, setMoment } from '@/lib/hooks/moment';
import { requestOf } from '@/lib/store/exchanges/exchange-timeline';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/rows/row';
import { filterMenuItems, frameSnippets, useMessageCommands } from '../detail/message-commands';

interface RowMenuProps {
  readonly log: Log;
  readonly row: Row;
  readonly opener: HTMLElement;
  readonly near: DOMRectReadOnly;
  readonly onSelect: (seq: number) => void;
  readonly onClose: () => void;
}

/** The context menu of a row: go to its counterpart, message commands, copies and filters. */
export function RowMenu({ log, row, opener, near, onSelect, onClose }: RowMenuProps) {
  const { filter = '' } = useLocation();
  const request = requestOf(log, row);
  useFrameBytes(log, request === undefined ? [row.seq] : [row.seq, request]);
  const ended = useLogState(log, hasEnded);
  const commands = useMessageCommands(log, row, onSelect);
  const { peer, unmatched } = row;
  const items: MenuItem[] = [
    ...(peer === undefined
      ? []
      : [{ label: `Go to ${peer < row.seq ? 'request' : 'response'} #${peer}`, run: () => onSelect(peer) }]),
    ...(unmatched === undefined
      ? []
      : [
          {
            label: `Go to the ${unmatched < row.seq ? 'request it may answer' : 'unmatched response'}, #${unmatched}`,
            run: () => onSelect(unmatched),
          },
        ]),
    ...(ended ? [{ label: 'Show state at this message', run: () => setMoment(log.connection, row.seq) }] : []),
    ...commands().map(({ label, run }) => ({ label, run })),
    ...(log.hasBytes(row.seq) ? frameSnippets(log, row) : []).map(({ label, text }, index) => ({
      label: `Copy as ${label}`,
      separatorBefore: index === 0,
      run: () => void navigator.clipboard.writeText(text()),
    })),
    ...filterMenuItems(row, filter).map((item, index) => (index === 0 ? { ...item, separatorBefore: true } : item)),
  ];
  return <MenuList label={`Message #${row.seq}`} items={items} opener={opener} near={near} onClose={onClose} />;
}
