import { connectionLabels } from '@/components/exchange/connection-labels';
import { Button, IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import { plainSentence } from '@/components/ui/notices';
import { KeyHint } from '@/components/ui/shortcuts';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/client';
import { useLogState } from '@/lib/hooks/log';
import { useShownLog } from '@/lib/hooks/moment';
import { nextTheme, type Theme, useTheme } from '@/lib/hooks/theme';
import type { ConnectionSummary } from '@/lib/wire/command';
import { isStranded, STRANDED } from './connection-commands';
import { InsecureBadge, isLive, isPlainlyOpen, StateDot, StateMark, stateLabel } from './connection-state';

interface HeaderProps {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: ConnectionSummary | undefined;
  readonly restarting: boolean;
  readonly onRestart: () => void;
  readonly onDisconnect: () => void;
  readonly watching: boolean;
  /** Absent for what has no files to watch. */
  readonly onWatch: (() => void) | undefined;
  /** Absent in a shared file: there is nothing to compare with. */
  readonly onCompare: (() => void) | undefined;
  readonly onPalette: () => void;
  readonly onSettings: () => void;
  readonly onHelp: () => void;
  /** Absent in a shared file. */
  readonly onShare: (() => void) | undefined;
}

/** The top line: the selected connection, its state and facts, and the actions on it. */
export function Header(props: HeaderProps) {
  const { connections, selected, onPalette, onSettings, onShare } = props;
  return (
    <header className="flex h-9 shrink-0 items-center gap-2 border-b border-line bg-surface pr-2 pl-3 narrow:h-11">
      {selected ? (
        <>
          {isPlainlyOpen(selected) ? <StateMark connection={selected} /> : <StateDot connection={selected} />}
          <Name connection={selected} label={connectionLabels(connections).get(selected.id)!} />
          {selected.insecure && <InsecureBadge />}
          <Facts connection={selected} />
        </>
      ) : (
        <h1 className="font-semibold">mcp-inspect</h1>
      )}
      <div className="ml-auto flex shrink-0 items-center gap-1">
        {selected && !selected.recording && <ServerActions {...props} selected={selected} />}
        <SearchButton onPress={onPalette} />
        {selected && onShare && (
          <Button
            size="small"
            onClick={onShare}
            title="Review the messages, then share them"
            className="mx-1 border-control! px-2.5 narrow:hidden"
          >
            Share
          </Button>
        )}
        <ThemeToggle />
        <IconButton label="Settings" onClick={onSettings} className="narrow:hidden">
          <Icon name="settings" />
        </IconButton>
        <MoreMenu {...props} />
      </div>
    </header>
  );
}

/** The connection's label and its server's version. */
function Name({ connection, label }: { readonly connection: ConnectionSummary; readonly label: string }) {
  const version = useLogState(useShownLog(connection.id), (state) => state.server.info?.version);
  return (
    <>
      <h1 title={label} className="max-w-[36ch] min-w-[3ch] shrink truncate font-semibold narrow:max-w-none">
        <bdi>{label}</bdi>
      </h1>
      {version && <bdi className="max-w-[14ch] shrink-0 truncate text-muted narrow:hidden">{visibleText(version)}</bdi>}
    </>
  );
}

/** The state unless it is plainly open, then transport, protocol version and process. */
function Facts({ connection }: { readonly connection: ConnectionSummary }) {
  const log = useShownLog(connection.id);
  const { version, era, pid, exit, transport = connection.transport } = useLogState(log, (state) => state.connection);
  const { unreachable, state } = connection;
  const isOpen = isPlainlyOpen(connection);
  const facts = [
    connection.via === 'direct' ? `direct ${transport}` : transport,
    version,
    pid !== undefined && !exit && `pid ${pid}`,
  ];
  return (
    <p className="tabular flex min-w-0 items-center gap-1.5 text-muted">
      {!isOpen && (
        <span
          title={unreachable && visibleText(plainSentence(unreachable.message))}
          className={`shrink-0 ${unreachable ? 'text-warn' : state === 'failed' ? 'text-error' : ''}`}
        >
          {stateLabel(connection)}
        </span>
      )}
      <span title={era && `${era} protocol`} className="truncate narrow:hidden">
        {!isOpen && '· '}
        {facts.filter(Boolean).join(' · ')}
      </span>
    </p>
  );
}

/** Restart and Disconnect. A narrow window has them in its menu. */
function ServerActions({
  selected,
  restarting,
  onRestart,
  onDisconnect,
  watching,
  onWatch,
}: HeaderProps & { readonly selected: ConnectionSummary }) {
  const { status } = useClient();
  return (
    <span className="flex gap-1 narrow:hidden">
      <Button
        variant="ghost"
        size="small"
        onClick={onRestart}
        disabled={restarting}
        aria-label="Restart"
        title={isStranded(selected, status) ? STRANDED : 'Restart: start the same server again as a new run'}
      >
        <Icon name="restart" />
        <span className="medium:hidden">Restart</span>
      </Button>
      {onWatch && (
        <Button
          variant={watching ? 'plain' : 'ghost'}
          size="small"
          onClick={onWatch}
          aria-label="Watch"
          aria-pressed={watching}
          title="Restart the server on save"
        >
          <Icon name="eye" />
          <span className="medium:hidden">Watch</span>
        </Button>
      )}
      <Button
        variant="ghost"
        size="small"
        onClick={onDisconnect}
        disabled={!isLive(selected.state)}
        aria-label="Disconnect"
        title="Disconnect: end the connection. Its log and recording are kept"
      >
        <Icon name="disconnect" />
        <span className="medium:hidden">Disconnect</span>
      </Button>
    </span>
  );
}

/** Opens the palette. Looks like the field that it opens. */
function SearchButton({ onPress }: { readonly onPress: () => void }) {
  return (
    <button
      type="button"
      onClick={onPress}
      aria-label="Search…"
      title="Search servers, tools, resources, prompts and commands"
      className="flex h-6 w-48 items-center gap-2 rounded border border-line bg-bg px-2 text-small text-muted hover:border-control medium:w-36 narrow:size-8 narrow:justify-center narrow:px-0"
    >
      <Icon name="search" />
      <span className="narrow:hidden">Search…</span>
      <span aria-hidden="true" className="ml-auto narrow:hidden">
        <KeyHint keys="mod+k" />
      </span>
    </button>
  );
}

/** The actions that a narrow top line has no room for. */
function MoreMenu(props: HeaderProps) {
  const { selected, restarting, onRestart, onDisconnect, onCompare, onShare, onSettings, onHelp } = props;
  const [theme, setTheme, systemDark] = useTheme();
  const next = nextTheme(theme, systemDark);
  const items = () =>
    [
      selected && onShare && { label: 'Share…', run: onShare },
      selected && onCompare && { label: 'Compare with…', run: onCompare },
      selected && !selected.recording && !restarting && { label: 'Restart', run: onRestart },
      selected && isLive(selected.state) && { label: 'Disconnect', run: onDisconnect },
      { label: `Theme: switch to ${next}`, run: () => setTheme(next) },
      { label: 'Settings', run: onSettings },
      { label: 'Keys', run: onHelp },
    ].filter((item) => item !== undefined && item !== false);
  return (
    <span className="hidden narrow:flex">
      <Menu
        label="More actions"
        items={items}
        className="inline-flex size-8 items-center justify-center rounded text-muted hover:bg-text/8 hover:text-text"
      >
        <Icon name="more" />
      </Menu>
    </span>
  );
}

const THEME_GLYPH: Readonly<Record<Theme, string>> = { system: '◐', light: '○', dark: '●' };

function ThemeToggle() {
  const [theme, setTheme, systemDark] = useTheme();
  const next = nextTheme(theme, systemDark);
  return (
    <IconButton label={`Theme: ${theme}. Switch to ${next}`} onClick={() => setTheme(next)} className="narrow:hidden">
      {THEME_GLYPH[theme]}
    </IconButton>
  );
}
