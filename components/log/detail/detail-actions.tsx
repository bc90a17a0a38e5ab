import { useMemo } from 'react';
import { CallButtons } from '@/components/exchange/call-actions';
import { Button, IconButton } from '@/components/ui/button';
import { CopyAsMenu } from '@/components/ui/copy-as-menu';
import { Icon } from '@/components/ui/icon';
import { MENU_BUTTON, Menu } from '@/components/ui/menu';
import { useLocation } from '@/lib/hooks/location';
import { useFrameBytes } from '@/lib/hooks/log';
import { requestOf } from '@/lib/store/exchanges/exchange-timeline';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/rows/row';
import { similarFinder } from '@/lib/store/rows/similar-row';
import { filterMenuItems, frameSnippets, useEdit, useResend } from './message-commands';
import { type RecordedCommand, useRecordedCommands } from './recorded-commands';

/** Actions that involve more than one frame. */
export interface FrameActions {
  /** The frames that are kept in view. */
  readonly kept: readonly number[];
  readonly onKeep: (seq: number) => void;
  readonly onDrop: (seq: number) => void;
  readonly onDiff: (seqs: readonly [number, number]) => void;
  /** Starts a comparison with the row that is selected next. */
  readonly onPick: (seq: number) => void;
}

/** The buttons and menus of a frame. */
export function DetailActions({
  log,
  row,
  actions,
}: {
  readonly log: Log;
  readonly row: Row;
  readonly actions: FrameActions;
}) {
  const { kept, onKeep, onDrop, onDiff, onPick } = actions;
  // Copying a response as code needs the request's bytes.
  const request = requestOf(log, row);
  useFrameBytes(log, request === undefined ? [row.seq] : [row.seq, request]);
  const isKept = kept.includes(row.seq);
  const recorded = useRecordedCommands(log, row);
  const ours = row.channel === 'protocol' && row.direction === 'to-server';
  // Memoised because an open menu calls it at each render.
  const similar = useMemo(() => similarFinder(log, row), [log, row]);
  const diffs = () => {
    const before = similar();
    return [
      ...(before === undefined ? [] : [{ label: `previous similar #${before}`, run: () => onDiff([before, row.seq]) }]),
      ...kept
        .filter((seq) => seq !== row.seq)
        .map((seq) => ({ label: `kept #${seq}`, run: () => onDiff([seq, row.seq]) })),
      { label: 'another row…', run: () => onPick(row.seq) },
    ];
  };
  return (
    <>
      {recorded.send ? (
        <SendButton command={recorded.send} />
      ) : (
        ours && row.kind === 'request' && <ResendButton log={log} row={row} />
      )}
      {recorded.others.length > 0 && (
        <Menu label="Use this session" items={() => recorded.others} className={MENU_BUTTON}>
          Session <Icon name="down" />
        </Menu>
      )}
      {ours && <EditButton log={log} row={row} />}
      <Menu label="Compare with" items={diffs} className={MENU_BUTTON}>
        Compare <Icon name="down" />
      </Menu>
      <CopyAsMenu snippets={() => frameSnippets(log, row)} />
      <FilterMenu row={row} />
      <CallButtons log={log} request={request} place="detail" />
      <IconButton
        label="Keep in view"
        aria-pressed={isKept}
        onClick={() => (isKept ? onDrop(row.seq) : onKeep(row.seq))}
      >
        <Icon name="eye" />
      </IconButton>
    </>
  );
}

/** A button that sends the request of a recording on a connection of our own. */
function SendButton({ command: { label, about, run } }: { readonly command: RecordedCommand }) {
  return (
    <Button data-recorded variant="ghost" size="small" title={about} onClick={run}>
      {label}
    </Button>
  );
}

/** A button that sends a request again. If that fails, the error appears beside it. */
function ResendButton({ log, row }: { readonly log: Log; readonly row: Row }) {
  const { closed, failure, resend } = useResend(log, row);
  return (
    <>
      {failure && (
        <span role="alert" className="min-w-0 truncate text-error" title={failure}>
          {failure}
        </span>
      )}
      <Button
        variant="ghost"
        size="small"
        disabled={closed !== undefined}
        title={closed ?? 'Send again with a new id'}
        onClick={resend}
      >
        Resend
      </Button>
    </>
  );
}

/** Opens a sent message where it can be edited and sent again. */
function EditButton({ log, row }: { readonly log: Log; readonly row: Row }) {
  const { title, edit } = useEdit(log, row);
  return (
    <Button variant="ghost" size="small" title={title} onClick={edit}>
      Edit
    </Button>
  );
}

/** A menu of filters for rows like this one. */
function FilterMenu({ row }: { readonly row: Row }) {
  const { filter = '' } = useLocation();
  return (
    <Menu label="Filter by this message" items={() => filterMenuItems(row, filter)}>
      <Icon name="filter" />
    </Menu>
  );
}
