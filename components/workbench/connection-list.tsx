import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { IconButton } from '@/components/ui/icon-button';
import { visibleText } from '@/components/ui/visible-text';
import type { ConnectionSummary } from '@/lib/wire/command';
import { StateDot } from './state-dot';
import { isLive, STATE_WORDS } from './state-words';

interface ConnectionListProps {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: string | undefined;
  readonly onSelect: (connection: string) => void;
  readonly onForget: (connection: string) => void;
  readonly onAdd: () => void;
}

/** All connections of this run, oldest first, ended ones too until they are forgotten. */
export function ConnectionList({ connections, selected, onSelect, onForget, onAdd }: ConnectionListProps) {
  return (
    <section aria-label="Connections" className="flex max-h-[45%] min-h-0 shrink-0 flex-col border-b border-line pb-1">
      <div className="flex h-7 shrink-0 items-center justify-between pr-1 pl-2">
        <h2 className="truncate text-small text-muted">Connections</h2>
        <IconButton label="Add server" onClick={onAdd}>
          <Icon name="plus" />
        </IconButton>
      </div>
      {connections.length === 0 && (
        <Button variant="ghost" size="small" onClick={onAdd} className="mx-1 justify-start">
          Add server…
        </Button>
      )}
      <ul className="min-h-0 overflow-y-auto px-1">
        {connections.map((connection) => (
          <li key={connection.id} className="group relative flex items-center">
            <button
              type="button"
              aria-current={connection.id === selected}
              title={visibleText(connection.title)}
              onClick={() => onSelect(connection.id)}
              className="flex h-9 min-w-0 flex-1 items-center gap-1.5 rounded px-1.5 text-left hover:bg-text/6 aria-[current=true]:bg-accent/12"
            >
              <StateDot state={connection.state} />
              <span className="flex min-w-0 flex-col">
                <bdi className="truncate leading-4">{visibleText(connection.name)}</bdi>
                <span className="truncate text-small leading-[14px] text-muted">
                  {STATE_WORDS[connection.state].words}
                  {connection.version && ` · ${connection.version}`}
                </span>
              </span>
            </button>
            {!isLive(connection.state) && (
              <IconButton
                label={`Forget ${visibleText(connection.name)}`}
                onClick={() => onForget(connection.id)}
                className="absolute right-0 bg-raised opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
              >
                <Icon name="close" />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
