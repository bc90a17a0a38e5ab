import { type RefObject, useLayoutEffect, useRef } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { visibleText } from '@/components/ui/visible-text';
import type { ConnectionSummary } from '@/lib/wire/command';
import { InsecureBadge, isLive, StateDot, stateLabel } from './connection-state';
import { connectionLabels, connectionName } from './labels';

interface ConnectionListProps {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: string | undefined;
  readonly onSelect: (connection: string) => void;
  readonly onForget: (connection: string) => void;
  readonly onForgetEnded: () => void;
  readonly onAdd: () => void;
  /** Absent without a recordings folder. */
  readonly onRecordings: (() => void) | undefined;
}

/** All connections since mcp-inspect started, oldest first. An ended one stays until the user forgets it. */
export function ConnectionList(props: ConnectionListProps) {
  const { connections, selected, onSelect, onForget, onForgetEnded, onAdd, onRecordings } = props;
  const list = useScrollToCurrent(selected);
  const labels = connectionLabels(connections);
  const ended = connections.filter(({ state }) => !isLive(state)).length;
  return (
    <section aria-label="Connections" className="flex min-h-0 flex-col border-b border-line pb-1">
      <div className="flex h-7 shrink-0 items-center justify-between pr-1 pl-2 max-[1100px]:justify-center">
        <h2 className="truncate text-small text-muted max-[1100px]:sr-only">Connections</h2>
        <span className="flex">
          <IconButton label="Add server" onClick={onAdd}>
            <Icon name="plus" />
          </IconButton>
        </span>
      </div>
      {connections.length === 0 && (
        <Button variant="ghost" size="small" onClick={onAdd} className="mx-1 justify-start max-[1100px]:hidden">
          Add server…
        </Button>
      )}
      <ul ref={list} className="min-h-0 overflow-y-auto px-1">
        {connections.map((connection) => (
          <Item
            key={connection.id}
            connection={connection}
            label={labels.get(connection.id)!}
            current={connection.id === selected}
            onSelect={onSelect}
            onForget={onForget}
          />
        ))}
      </ul>
      {ended >= 2 && (
        <Button
          variant="ghost"
          size="small"
          onClick={onForgetEnded}
          title="Remove ended connections and their logs from the list"
          className="mx-1 justify-start text-muted! max-[1100px]:px-0"
        >
          <span className="max-[1100px]:sr-only">Forget ended connections</span>
          <span aria-hidden="true" className="mx-auto min-[1101px]:hidden">
            × {ended}
          </span>
        </Button>
      )}
      {onRecordings && (
        <button
          type="button"
          onClick={onRecordings}
          title="Recordings of earlier connections"
          className="mx-1 flex h-7 shrink-0 items-center gap-2 rounded px-2 text-left text-muted hover:bg-text/6 hover:text-text max-[1100px]:justify-center"
        >
          <Icon name="recordings" />
          <span className="max-[1100px]:sr-only">Recordings</span>
        </button>
      )}
    </section>
  );
}

/** Keeps the selected entry in view. Returns a ref for the list. */
function useScrollToCurrent(selected: string | undefined): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const element = list.current;
    if (selected === undefined || !element) return;
    // A height change may scroll the selected entry out of view. The observer also fires once at the start.
    const inSight = new ResizeObserver(() =>
      element.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' }),
    );
    inSight.observe(element);
    return () => inSight.disconnect();
  }, [selected]);
  return list;
}

function Item({
  connection,
  label,
  current,
  onSelect,
  onForget,
}: {
  readonly connection: ConnectionSummary;
  readonly label: string;
  readonly current: boolean;
  readonly onSelect: (connection: string) => void;
  readonly onForget: (connection: string) => void;
}) {
  const { id, title, state, via, version, serverName, insecure, waiting, unreachable } = connection;
  const name = connectionName(connection);
  const server = serverName === undefined ? '' : visibleText(serverName);
  const facts = [stateLabel(connection), via, version && `MCP ${version}`, server !== name && server];
  return (
    <li className="group relative flex items-center">
      <button
        type="button"
        aria-current={current}
        title={[
          `${label}: ${visibleText(title)}`,
          serverName && `server name: ${server}`,
          unreachable && visibleText(unreachable.message),
        ]
          .filter(Boolean)
          .join('\n')}
        onClick={() => onSelect(id)}
        className="flex h-9 min-w-0 flex-1 items-center gap-1.5 rounded px-1.5 text-left hover:bg-text/6 aria-[current=true]:bg-accent/12"
      >
        <StateDot connection={connection} />
        <span
          className={classNames(
            'flex min-w-0 flex-col',
            // Room for the remove button.
            !isLive(state) && 'group-focus-within:pr-6 group-hover:pr-6 max-[1100px]:pr-0!',
          )}
        >
          <span className="flex gap-1 leading-4 max-[1100px]:flex-col max-[1100px]:gap-0 max-[1100px]:text-small">
            <bdi className="truncate">{name}</bdi>
            {label.length > name.length && (
              <span className="shrink-0 max-[1100px]:truncate">{label.slice(name.length).trim()}</span>
            )}
            {insecure && <InsecureBadge short />}
          </span>
          <span className="truncate text-small leading-[14px] text-muted max-[1100px]:sr-only">
            {facts.filter(Boolean).join(' · ')}
          </span>
        </span>
        {waiting !== undefined && (
          <span className="tabular ml-auto shrink-0 text-small font-medium text-accent">
            {waiting}
            <span className="sr-only"> {waiting === 1 ? 'question' : 'questions'} for you</span>
          </span>
        )}
      </button>
      {!isLive(state) && (
        <IconButton
          label={`Forget ${label}`}
          onClick={() => onForget(id)}
          className="absolute right-0 bg-raised opacity-0 group-focus-within:opacity-100 group-hover:opacity-100"
        >
          <Icon name="close" />
        </IconButton>
      )}
    </li>
  );
}
