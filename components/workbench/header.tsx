import { connectionLabels, runLabel } from '@/components/exchange/connection-labels';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { NARROW, useMedia } from '@/components/ui/media';
import { plainSentence } from '@/components/ui/notices';
import { KeyHint } from '@/components/ui/shortcuts';
import { visibleText } from '@/components/ui/visible-text';
import { borrowedTitle } from '@/features/host-titles';
import { useClient } from '@/lib/hooks/client';
import { useLogState } from '@/lib/hooks/log';
import { useShownLog } from '@/lib/hooks/moment';
import type { ConnectionSummary } from '@/lib/wire/command';
import { type ConnectionActions, isStranded, STRANDED } from './connection-commands';
import { InsecureBadge, isLive, StateDot, stateLabel } from './connection-state';
import { ServersMenu } from './servers-menu';
import type { ServerAction } from './servers-popover';

interface HeaderProps {
  readonly connections: readonly ConnectionSummary[];
  readonly selected: ConnectionSummary | undefined;
  /** True while the server's view is shown. */
  readonly serverShown: boolean;
  readonly onServer: () => void;
  readonly onSelect: (connection: string) => void;
  /** Absent in a shared file. */
  readonly onAdd: (() => void) | undefined;
  readonly actions: ConnectionActions;
  /** Absent in a shared file: there is nothing to compare with. */
  readonly onCompare: (() => void) | undefined;
  readonly onPalette: () => void;
  /** Absent in a shared file. */
  readonly onShare: (() => void) | undefined;
}

/** The top line: the selected server, its state, and the actions on it. */
export function Header(props: HeaderProps) {
  const { connections, selected, onPalette, onShare, onSelect, onAdd, actions } = props;
  const menu = serverActions(props, useMedia(NARROW));
  return (
    <header className="flex h-9 shrink-0 items-center gap-2 border-b border-line bg-surface px-2 narrow:h-11">
      {connections.length > 0 && onAdd ? (
        <ServersMenu
          connections={connections}
          selected={selected}
          onSelect={onSelect}
          onRemove={actions.remove}
          onAdd={onAdd}
          actions={menu}
        />
      ) : (
        <h1 className="min-w-0 truncate px-1.5 font-semibold">
          <bdi>{selected ? connectionLabels(connections).get(selected.id) : 'mcp-inspect'}</bdi>
        </h1>
      )}
      {selected && (
        <>
          <StateChip connection={selected} isCurrent={props.serverShown} onOpen={props.onServer} />
          {selected.as !== undefined && (
            <span
              title="mcp-inspect connected with the name of this host"
              className="min-w-0 truncate text-small text-muted"
            >
              as <bdi>{visibleText(borrowedTitle(selected.as))}</bdi>
            </span>
          )}
          {selected.insecure && <InsecureBadge />}
          {!selected.recording && <RestartButton selected={selected} actions={actions} />}
        </>
      )}
      <div className="ml-auto flex shrink-0 items-center gap-1">
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
      </div>
    </header>
  );
}

/** The state, transport and protocol version. Opens the server's view. */
function StateChip({
  connection,
  isCurrent,
  onOpen,
}: {
  readonly connection: ConnectionSummary;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
}) {
  const log = useShownLog(connection.id);
  const { version, era, pid, exit, transport = connection.transport } = useLogState(log, (state) => state.connection);
  const { unreachable, state } = connection;
  const facts = [
    connection.run !== undefined && runLabel(connection),
    connection.via === 'direct' ? `direct ${transport}` : transport,
    version,
  ]
    .filter(Boolean)
    .join(' · ');
  const about = [
    'Show the server, its settings and its authorization',
    unreachable && visibleText(plainSentence(unreachable.message)),
    era && `${era} protocol`,
    pid !== undefined && !exit && `pid ${pid}`,
  ];
  return (
    <button
      type="button"
      aria-current={isCurrent ? 'page' : undefined}
      title={about.filter(Boolean).join('\n')}
      onClick={onOpen}
      className="tabular flex h-7 min-w-0 items-center gap-1.5 rounded px-1.5 text-muted hover:bg-text/8 hover:text-text aria-[current]:bg-accent/12 aria-[current]:text-text"
    >
      <StateDot connection={connection} />
      <span className={`shrink-0 ${unreachable ? 'text-warn' : state === 'failed' ? 'text-error' : ''}`}>
        {stateLabel(connection)}
      </span>
      <span className="truncate narrow:hidden">· {facts}</span>
    </button>
  );
}

/** Restarts the server. A narrow window has it in its menu. */
function RestartButton({
  selected,
  actions: { restarting, watching, restart },
}: {
  readonly selected: ConnectionSummary;
  readonly actions: ConnectionActions;
}) {
  const { status } = useClient();
  // Re-run on save restarts it anyway.
  const { changedSource = '' } = watching ? {} : selected;
  const changed = changedSource && `${visibleText(changedSource)} changed · `;
  return (
    <Button
      variant="ghost"
      size="small"
      onClick={restart}
      disabled={restarting}
      aria-label={`${changed}Restart`}
      title={isStranded(selected, status) ? STRANDED : 'Restart: start the same server again as a new run'}
      className="narrow:hidden"
    >
      <Icon name="restart" />
      <span className="max-w-64 truncate medium:hidden">{changed}Restart</span>
    </Button>
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
      className="flex h-6 w-48 items-center gap-2 rounded border border-line bg-bg px-2 text-small whitespace-nowrap text-muted hover:border-control medium:w-40 narrow:size-8 narrow:justify-center narrow:px-0"
    >
      <Icon name="search" />
      <span className="narrow:hidden">Search…</span>
      <span aria-hidden="true" className="ml-auto narrow:hidden">
        <KeyHint keys="mod+k" />
      </span>
    </button>
  );
}

/** Actions on the selected server that are not needed all the time. */
function serverActions(props: HeaderProps, isNarrow: boolean): readonly ServerAction[] {
  const { selected, actions, onCompare, onShare } = props;
  if (!selected) return [];
  return [
    isNarrow && onShare && { label: 'Share…', run: onShare },
    isNarrow && !selected.recording && !actions.restarting && { label: 'Restart', run: actions.restart },
    actions.watch && { label: 'Watch: restart the server on save', isOn: actions.watching, run: actions.watch },
    onCompare && { label: 'Compare with…', run: onCompare },
    isLive(selected.state) && { label: 'Disconnect', run: actions.disconnect },
  ].filter((action) => action !== undefined && action !== false);
}
