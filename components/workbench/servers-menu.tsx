import { useId, useRef, useState } from 'react';
import { connectionEntries, connectionLabels } from '@/components/exchange/connection-labels';
import { Icon } from '@/components/ui/icon';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { moveFocus } from '@/components/ui/page-focus';
import { isDragged } from '@/components/ui/release';
import type { ConnectionSummary } from '@/lib/wire/command';
import { countOf } from '@/lib/wire/format';
import { isPlainlyOpen, StateDot, stateLabel, worstState } from './connection-state';
import { LaterParts } from './part-boundary';
import type { ServerAction } from './servers-popover';

const ServersPopover = lazyWhenIdle(() => import('./servers-popover').then((file) => file.ServersPopover));

interface ServersMenuProps {
  readonly connections: readonly ConnectionSummary[];
  /** Undefined while none is shown, as for tapped sessions that nobody has opened. */
  readonly selected: ConnectionSummary | undefined;
  readonly onSelect: (connection: string) => void;
  /** Removes ended connections and their logs from the list. */
  readonly onRemove: (connections: readonly string[]) => void;
  readonly onAdd: () => void;
  readonly actions: readonly ServerAction[];
}

/**
 * The selected server's name, which opens the list of servers with actions. Beside it, the others: how many, or the
 * worst state.
 */
export function ServersMenu(props: ServersMenuProps) {
  const { connections, selected, onSelect, onAdd, actions } = props;
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const label = selected && connectionLabels(connections).get(selected.id);
  const newest = connectionEntries(connections).map((entry) => entry.newest);
  const others = newest.filter((one) => one.id !== selected?.id && !one.recording);
  const worst = worstState(others);
  const close = () => {
    setOpen(false);
    moveFocus(button.current);
  };
  return (
    <>
      <h1 className="min-w-16 shrink-[1000] font-semibold">
        <button
          ref={button}
          type="button"
          aria-haspopup="dialog"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          title={[label, 'Click to switch, add, watch or compare servers'].filter(Boolean).join('\n')}
          onClick={() => setOpen(!open)}
          onPointerLeave={(event) => isDragged(event) && setOpen(true)}
          className="flex h-7 max-w-[min(36ch,100%)] min-w-0 items-center gap-1 rounded px-1.5 hover:bg-text/8 aria-expanded:bg-text/10 narrow:max-w-full"
        >
          <bdi className="truncate">{label ?? 'Servers'}</bdi>
          <span className="text-muted">
            <Icon name="down" />
          </span>
        </button>
      </h1>
      {worst && (
        // A narrow window has room for it only if it matters.
        <span
          title={`Another server: ${stateLabel(worst)}`}
          className={`flex shrink-0 items-center gap-1.5 text-small text-muted ${isPlainlyOpen(worst) ? 'narrow:hidden' : ''}`}
        >
          <StateDot connection={worst} />
          {isPlainlyOpen(worst) ? countOf(others.length, 'other') : `other: ${stateLabel(worst)}`}
        </span>
      )}
      <LaterParts name="The list of servers" about={String(open)}>
        {open && (
          <ServersPopover
            {...props}
            selected={selected?.id}
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
            actions={actions.map((action) => ({
              ...action,
              run: () => {
                close();
                action.run();
              },
            }))}
          />
        )}
      </LaterParts>
    </>
  );
}
