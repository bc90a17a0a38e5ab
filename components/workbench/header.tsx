import { Button, IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { KeyHint } from '@/components/ui/shortcuts';
import { visibleText } from '@/components/ui/visible-text';
import { useLogState } from '@/lib/hooks/log';
import { useShownLog } from '@/lib/hooks/moment';
import { NEXT_THEME, type Theme, useTheme } from '@/lib/hooks/theme';
import type { ConnectionSummary } from '@/lib/wire/command';
import { InsecureBadge, isLive, StateDot, stateLabel } from './connection-state';
import { connectionLabels } from './labels';

interface HeaderProps {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: ConnectionSummary | undefined;
  readonly onSelect: (connection: string) => void;
  readonly restarting: boolean;
  readonly onRestart: () => void;
  readonly onDisconnect: () => void;
  /** Absent in a shared file: there is nothing to compare with. */
  readonly onCompare: (() => void) | undefined;
  readonly onPalette: () => void;
  readonly onSettings: () => void;
  /** Absent in a shared file. */
  readonly onShare: (() => void) | undefined;
}

/** The top line: the selected connection, its state and facts, and the actions on it. */
export function Header(props: HeaderProps) {
  const { connections, selected, onSelect, onPalette, onSettings } = props;
  const labels = connectionLabels(connections);
  return (
    <header className="flex h-9 shrink-0 items-center gap-3 border-b border-line bg-surface px-3">
      <h1 className="shrink-0 font-semibold">mcp-inspect</h1>
      {selected && (
        <>
          <span className="flex min-w-0 items-center gap-1.5">
            <StateDot connection={selected} />
            <select
              aria-label="Connection"
              value={selected.id}
              title={labels.get(selected.id)}
              onChange={(event) => onSelect(event.target.value)}
              className="max-w-[220px] min-w-0 truncate rounded bg-transparent font-medium hover:bg-text/6"
            >
              {connections.map((connection) => (
                <option key={connection.id} value={connection.id}>
                  {labels.get(connection.id)}
                </option>
              ))}
            </select>
            <span
              title={selected.unreachable && visibleText(selected.unreachable.message)}
              className={`truncate ${selected.unreachable ? 'text-warn' : 'text-muted'}`}
            >
              {stateLabel(selected)}
            </span>
          </span>
          {selected.insecure && <InsecureBadge />}
          <Facts connection={selected} />
        </>
      )}
      <div className="ml-auto flex shrink-0 items-center gap-1.5">
        {selected && <ConnectionActions {...props} selected={selected} />}
        <Button variant="plain" size="small" onClick={onPalette} aria-label="Command palette">
          <KeyHint keys="⌘K" /> <span className="text-muted">Search…</span>
        </Button>
        <ThemeToggle />
        <IconButton label="Settings" onClick={onSettings}>
          <Icon name="settings" />
        </IconButton>
      </div>
    </header>
  );
}

/** The buttons for the selected connection. */
function ConnectionActions(props: HeaderProps & { readonly selected: ConnectionSummary }) {
  const { selected, restarting, onRestart, onDisconnect, onCompare, onShare } = props;
  return (
    <>
      {onCompare && (
        <Button variant="ghost" size="small" onClick={onCompare} title="Compare with a recording or another connection">
          Compare…
        </Button>
      )}
      {!selected.recording && (
        <>
          <Button
            variant="ghost"
            size="small"
            onClick={onRestart}
            disabled={restarting}
            title="Start the same server again"
          >
            Restart
          </Button>
          <Button
            variant="ghost"
            size="small"
            onClick={onDisconnect}
            disabled={!isLive(selected.state)}
            title="End the connection. Its log and recording are kept"
          >
            Disconnect
          </Button>
        </>
      )}
      {onShare && (
        <Button variant="ghost" size="small" onClick={onShare} title="Review the messages, then share them">
          Share
        </Button>
      )}
    </>
  );
}

function Facts({ connection }: { readonly connection: ConnectionSummary }) {
  const log = useShownLog(connection.id);
  const { version, era, pid, exit, transport = connection.transport } = useLogState(log, (state) => state.connection);
  const facts = [
    connection.via === 'direct' ? `direct ${transport}` : transport,
    version && `${version}${era ? ` ${era}` : ''}`,
    pid !== undefined && (exit ? `pid ${pid} (exited)` : `pid ${pid}`),
  ];
  return <span className="tabular min-w-0 truncate text-muted">{facts.filter(Boolean).join(' · ')}</span>;
}

const THEME_GLYPH: Readonly<Record<Theme, string>> = { system: '◐', light: '○', dark: '●' };

function ThemeToggle() {
  const [theme, setTheme] = useTheme();
  return (
    <IconButton label={`Theme: ${theme}. Switch to ${NEXT_THEME[theme]}`} onClick={() => setTheme(NEXT_THEME[theme])}>
      {THEME_GLYPH[theme]}
    </IconButton>
  );
}
