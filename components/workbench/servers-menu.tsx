import { useId, useLayoutEffect, useRef, useState } from 'react';
import { connectionLabels, entriesOf } from '@/components/exchange/connection-labels';
import { Icon } from '@/components/ui/icon';
import { moveFocus } from '@/components/ui/page-focus';
import type { ConnectionSummary } from '@/lib/wire/command';
import { ConnectionList } from './connection-list';
import { StateDot, stateLabel, worstState } from './connection-state';

interface ServersMenuProps {
  readonly connections: readonly ConnectionSummary[];
  /** Undefined while none is shown, as for tapped sessions that nobody has opened. */
  readonly selected: ConnectionSummary | undefined;
  readonly onSelect: (connection: string) => void;
  /** Removes ended connections and their logs from the list. */
  readonly onRemove: (connections: readonly string[]) => void;
  readonly onAdd: () => void;
}

/** The selected server's name, which opens the list of servers, and the worst state among the others. */
export function ServersMenu(props: ServersMenuProps) {
  const { connections, selected, onSelect, onAdd } = props;
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const label = selected && connectionLabels(connections).get(selected.id);
  const newest = entriesOf(connections).map((entry) => entry.newest);
  const worst = worstState(newest.filter((one) => one.id !== selected?.id && !one.recording));
  const close = () => {
    setOpen(false);
    moveFocus(button.current);
  };
  return (
    <>
      <h1 className="min-w-0 font-semibold">
        <button
          ref={button}
          type="button"
          aria-haspopup="dialog"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          title={[label, 'Click to switch or add servers'].filter(Boolean).join('\n')}
          onClick={() => setOpen(!open)}
          className="flex h-7 max-w-[36ch] min-w-0 items-center gap-1 rounded px-1.5 hover:bg-text/8 aria-expanded:bg-text/10 narrow:max-w-none"
        >
          <bdi className="truncate">{label ?? 'Servers'}</bdi>
          {worst && (
            <span role="img" aria-label={`another server: ${stateLabel(worst)}`} className="flex shrink-0">
              <StateDot connection={worst} />
            </span>
          )}
          <span className="text-muted">
            <Icon name="down" />
          </span>
        </button>
      </h1>
      {open && (
        <ServersPopover
          {...props}
          id={id}
          opener={button.current!}
          onClose={() => setOpen(false)}
          onSelect={(connection) => {
            close();
            onSelect(connection);
          }}
          onAdd={() => {
            close();
            onAdd();
          }}
        />
      )}
    </>
  );
}

/** The open list. Esc, a choice and a click outside close it. */
function ServersPopover({
  id,
  opener,
  onClose,
  ...props
}: ServersMenuProps & { readonly id: string; readonly opener: HTMLElement; readonly onClose: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current!;
    element.showPopover();
    const at = opener.getBoundingClientRect();
    element.style.left = `${at.left}px`;
    element.style.top = `${at.bottom}px`;
    moveFocus(element.querySelector<HTMLElement>('[aria-current=true]') ?? element.querySelector('button'));
  }, [opener]);
  return (
    <div
      ref={box}
      id={id}
      role="dialog"
      aria-label="Servers and recordings"
      popover="auto"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Page shortcuts ignore events that were prevented.
        event.preventDefault();
        moveFocus(opener);
        onClose();
      }}
      onToggle={(event) => event.newState === 'closed' && onClose()}
      className="fixed inset-auto m-0 max-h-[70vh] w-80 max-w-[calc(100vw-16px)] overflow-auto rounded border border-line bg-raised p-0 text-text shadow-xl"
    >
      <ConnectionList {...props} selected={props.selected?.id} />
    </div>
  );
}
