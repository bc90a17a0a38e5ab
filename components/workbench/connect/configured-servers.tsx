import { join } from 'shlex';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/error-note';
import { visibleText } from '@/components/ui/visible-text';
import { useServers } from '@/lib/hooks/use-servers';
import type { ConfiguredServer } from '@/lib/wire/api';

/** The servers that the command line and config files name: one press starts one, another edits it first. */
export function ConfiguredServers({
  disabled,
  onStart,
  onEdit,
}: {
  readonly disabled: boolean;
  readonly onStart: (server: ConfiguredServer) => void;
  readonly onEdit: (server: ConfiguredServer) => void;
}) {
  const { servers, error } = useServers();
  if (error) return <ErrorNote failure={error} />;
  if (servers.length === 0) return null;
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-muted">Configured servers</h3>
      <ul className="flex flex-col divide-y divide-line border-y border-line">
        {servers.map((server) => (
          <li key={server.id} className="flex min-h-9 items-center gap-2 py-1">
            <div className="min-w-0 flex-1">
              <p className="flex items-baseline gap-2">
                <bdi className="truncate font-medium">{visibleText(nameOf(server))}</bdi>
                <span className="truncate text-small text-muted">{server.source}</span>
              </p>
              <p className="truncate font-mono text-small text-muted" title={visibleText(lineOf(server))}>
                {visibleText(lineOf(server))}
              </p>
              {server.problem && <p className="text-error">{visibleText(server.problem)}</p>}
            </div>
            <Button size="small" variant="ghost" onClick={() => onEdit(server)}>
              Edit first
            </Button>
            <Button size="small" disabled={disabled || server.problem !== undefined} onClick={() => onStart(server)}>
              Start {visibleText(nameOf(server)).slice(0, 40)}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function lineOf({ target }: ConfiguredServer): string {
  return target.transport === 'stdio' ? join([target.command, ...target.args]) : target.url;
}

function nameOf(server: ConfiguredServer): string {
  return server.target.name ?? lineOf(server);
}
