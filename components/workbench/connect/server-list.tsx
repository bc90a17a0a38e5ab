import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, useCopy } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { useListFocus } from '@/components/ui/focus';
import { Icon } from '@/components/ui/icon';
import { TextInput } from '@/components/ui/inputs';
import { Menu } from '@/components/ui/menu';
import { ErrorNote, Sentence, Spinner } from '@/components/ui/notices';
import { moveFocus } from '@/components/ui/page-focus';
import { visibleText } from '@/components/ui/visible-text';
import { saveFile } from '@/components/untrusted/download';
import { TAP_CHANGES } from '@/features/tap-changes';
import { useDraft } from '@/lib/hooks/drafts';
import { useServers } from '@/lib/hooks/servers';
import type { ConfiguredServer, ServerChange, SkippedConfig, TapAction } from '@/lib/wire/api';
import type { GivenInput } from '@/lib/wire/config-inputs';
import { countOf } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { targetOfServer } from './server-draft';
import { type GroupedServers, groupServers, isReady, type ServerGroup, shownName, tellingParts } from './server-groups';
import { serversConfig } from './server-json';
import { ROW_ATTRIBUTE, ServerRow } from './server-row';
import { useConnect } from './use-connect';

/** Servers from which on the list can be searched. */
const SEARCHED = 8;
/** Recent servers shown at first. */
const RECENT = 8;

interface ServerListProps {
  readonly onConnected: (connection: string) => void;
  readonly onEdit: (server: ConfiguredServer) => void;
}

/** The servers that the proxy knows: given, recent, found on this machine, and the demo. */
export function ServerListView({ onConnected, onEdit }: ServerListProps) {
  const { servers, skipped, hosts, failure: unread, loading, error } = useServers();
  const [search, setSearch] = useDraft('search servers', '');
  const [whole, setWhole] = useState(false);
  const [foundShown, showFound] = useDraft('found servers', false);
  const list = useRef<HTMLDivElement>(null);
  const { given, recent, found, demo } = groupServers({ servers, hosts }, search);
  const shown = whole || search !== '' ? recent : recent.slice(0, RECENT);
  // A broken tap is worth a look.
  const isBroken = found.some(({ servers }) => servers.some(({ tap }) => tap?.missing !== undefined));
  const showsFound = foundShown || search !== '' || isBroken;
  useEffect(() => {
    // The repaired row stays, and says what was written.
    if (isBroken) showFound(true);
  }, [isBroken, showFound]);
  const actions = useRowActions({
    onConnected,
    onEdit,
    servers: inOrder({ given, recent: shown, found: showsFound ? found : [], demo }),
  });
  const { rowOf, failure, feedback, connectAll } = actions;
  const groupOf = (group: ServerGroup, heading?: 'h3') => (
    <Group
      key={group.key}
      group={group}
      heading={heading}
      // Servers from configs of other programs are started one at a time.
      onConnectAll={group.servers[0]?.origin === 'config' ? () => connectAll(group.servers) : undefined}
      rowOf={rowOf}
    />
  );
  const kept = servers.filter(({ origin }) => origin === 'kept');
  // Those that were used before may all be in other groups.
  const hasRecent = shown.length > 0 || loading || unread !== undefined || kept.length === 0;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the arrow keys of its rows
    <div ref={list} onKeyDown={onRowKey} className="flex min-w-0 flex-col gap-5">
      {servers.length > SEARCHED && (
        <TextInput
          type="search"
          aria-label="Filter servers"
          placeholder="Filter servers"
          value={search}
          onChange={setSearch}
        />
      )}
      {error && <ErrorNote failure={error} />}
      {failure && <ErrorNote failure={failure} />}
      <p aria-live="polite" className="sr-only">
        {feedback}
      </p>
      {given.map((group) => groupOf(group, 'h3'))}
      {hasRecent && (
        <Section
          title="Recent"
          menu={
            kept.length > 0 && (
              <Menu
                label="More actions for recent servers"
                items={() => [
                  {
                    label: 'Export all as mcpServers JSON',
                    run: () => saveFile(serversConfig(kept), 'mcp-servers.json'),
                  },
                ]}
              >
                <Icon name="more" />
              </Menu>
            )
          }
        >
          {unread && <ErrorNote failure={unread} />}
          {loading && <Spinner label="Looking for servers" />}
          {shown.length > 0 && <Rows>{shown.map(rowOf)}</Rows>}
          {!loading && !unread && kept.length === 0 && <p className="text-muted">Servers you connect to appear here</p>}
          {shown.length < recent.length && (
            <Button variant="ghost" size="small" className="self-start" onClick={() => setWhole(true)}>
              Show all {recent.length}
            </Button>
          )}
        </Section>
      )}
      {(search === '' || found.length > 0) && (
        <Section title="Found on this machine">
          {found.length > 0 && !showsFound && (
            <p className="text-muted">
              {foundText(found)}.{' '}
              <button type="button" className="text-link" onClick={() => showFound(true)}>
                Show {found.flatMap((group) => group.servers).length === 1 ? 'it' : 'them'}
              </button>
            </p>
          )}
          {showsFound && found.map((group) => groupOf(group))}
          {!loading && found.length === 0 && (
            <p className="text-muted">Servers in configs of Claude, Cursor and other hosts appear here</p>
          )}
          {search === '' &&
            skipped.map((config) => (
              <Skipped key={`${config.host} ${config.path}`} config={config} host={hosts[config.host] ?? config.host} />
            ))}
        </Section>
      )}
      {demo.length > 0 && (
        <Section title="Demo">
          <Rows>{demo.map(rowOf)}</Rows>
        </Section>
      )}
    </div>
  );
}

/** Returns how many servers were found where: "3 servers of Claude Desktop, 2 of Cursor". */
function foundText(groups: readonly ServerGroup[]): string {
  const counts = new Map<string, number>();
  for (const { title, servers } of groups) counts.set(title, (counts.get(title) ?? 0) + servers.length);
  return [...counts]
    .map(([title, count], at) => `${at === 0 ? countOf(count, 'server') : count} of ${title}`)
    .join(', ');
}

function inOrder({ given, recent, found, demo }: GroupedServers): readonly ConfiguredServer[] {
  const of = (groups: readonly ServerGroup[]) => groups.flatMap(({ servers }) => servers);
  return [...of(given), ...recent, ...of(found), ...demo];
}

/** Moves the focus between rows, and from the search box into them. */
function onRowKey(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>(`[${ROW_ATTRIBUTE}]`)];
  const at = rows.indexOf(target as HTMLElement);
  const searching = target instanceof HTMLInputElement && target.type === 'search';
  if (at < 0 && !(searching && key === 'ArrowDown')) return;
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key];
  if (next === undefined) return;
  event.preventDefault();
  moveFocus(rows[Math.max(0, Math.min(next, rows.length - 1))]);
}

const [TapChange] = TAP_CHANGES;

/** The row whose change of the host’s config is shown. */
interface Tapping {
  readonly id: string;
  readonly action: TapAction;
  /** It was tapped before the change: once it is written, each row is. */
  readonly isRepair: boolean;
}

function focusRow(id: string): void {
  moveFocus(document.querySelector<HTMLElement>(`[${ROW_ATTRIBUTE}="${CSS.escape(id)}"]`));
}

/** The state of the rows and what they do. `servers` are those in view. */
function useRowActions({
  onConnected,
  onEdit,
  servers,
}: ServerListProps & { readonly servers: readonly ConfiguredServer[] }) {
  const { change, refresh, upToDate, hosts } = useServers();
  const { connect, pending, failure: refused, dismiss } = useConnect();
  const { feedback, copy } = useCopy();
  const [failure, setFailure] = useState<Failure>();
  const [current, setCurrent] = useState<string>();
  const [tapping, setTapping] = useState<Tapping>();
  const [checking, setChecking] = useState(false);
  // The server whose inputs are asked for, null for none. Until the user chooses, it is the one on the command line.
  const [asked, setAsked] = useState<string | null>();
  const open = asked === undefined ? servers.find(({ waiting }) => waiting)?.id : asked;
  const reachable = servers.find(({ id }) => id === current)?.id ?? servers[0]?.id;

  const start = async (server: ConfiguredServer, inputs: readonly GivenInput[] = []) => {
    setFailure(undefined);
    return connect(targetOfServer(server, inputs), server.protocol);
  };
  const connectOne = async (server: ConfiguredServer, inputs?: readonly GivenInput[]) => {
    const connection = await start(server, inputs);
    if (connection !== undefined) onConnected(connection);
  };
  const press = async (server: ConfiguredServer) => {
    // A list from before the answers were given still has the inputs.
    setChecking(true);
    const current = server.inputs ? await upToDate(server) : server;
    setChecking(false);
    if (current.inputs) setAsked(current.id === open ? null : current.id);
    else await connectOne(current);
  };
  const connectAll = async (all: readonly ConfiguredServer[]) => {
    let first: string | undefined;
    for (const server of all.filter(isReady)) {
      const connection = await start(server);
      // Stop at a failure, so that the next server does not hide its message.
      if (connection === undefined) return;
      first ??= connection;
    }
    if (first !== undefined) onConnected(first);
  };
  const tryToChange = async (wanted: ServerChange) => {
    dismiss();
    setFailure(undefined);
    try {
      await change(wanted);
      return true;
    } catch (reason) {
      setFailure(reason as Failure);
      return false;
    }
  };
  const tapChangeOf = (server: ConfiguredServer) =>
    TapChange &&
    tapping?.id === server.id && (
      <TapChange
        key={tapping.action}
        {...tapping}
        name={visibleText(shownName(server)).slice(0, 80)}
        host={hosts[server.host ?? ''] ?? ''}
        onWritten={refresh}
        onClose={() => {
          // The focused button disappears.
          focusRow(server.id);
          setTapping(undefined);
        }}
      />
    );
  const parts = tellingParts(servers);
  const rowOf = (server: ConfiguredServer) => (
    <ServerRow
      key={server.id}
      server={server}
      part={parts.get(server.id) ?? ''}
      busy={pending || checking}
      asking={server.id === open}
      tapChange={tapChangeOf(server)}
      reachable={server.id === reachable}
      onFocus={() => setCurrent(server.id)}
      onPress={() => void press(server)}
      onConnect={(inputs) => void connectOne(server, inputs)}
      onCancel={() => setAsked(null)}
      onEdit={() => onEdit(server)}
      onTap={
        TapChange &&
        ((action) => setTapping({ id: server.id, action, isRepair: action === 'tap' && server.tap !== undefined }))
      }
      onCopy={() => void copy(() => serversConfig([server]))}
      onChange={tryToChange}
    />
  );
  return {
    rowOf,
    connectAll: (all: readonly ConfiguredServer[]) => void connectAll(all),
    failure: failure ?? refused,
    feedback,
  };
}

/** The rows' text is in line with the headings. */
function Rows({ children }: { readonly children: readonly ReactNode[] }) {
  const list = useListFocus<HTMLUListElement>(children.length);
  return (
    <ul ref={list} className="-mx-2">
      {children}
    </ul>
  );
}

function Section({
  title,
  menu,
  children,
}: {
  readonly title: string;
  readonly menu?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1">
      <div className="flex min-h-6 items-center gap-2">
        <h3 className="font-medium">{title}</h3>
        {menu}
      </div>
      {children}
    </section>
  );
}

/** Servers of one config, which can be connected together. */
function Group({
  group: { title, path, servers },
  heading: Heading = 'h4',
  onConnectAll,
  rowOf,
}: {
  readonly group: ServerGroup;
  readonly heading?: 'h3' | 'h4';
  readonly onConnectAll: (() => void) | undefined;
  readonly rowOf: (server: ConfiguredServer) => ReactNode;
}) {
  const ready = servers.filter(isReady).length;
  const left = servers.length - ready;
  return (
    <section aria-label={title} className={classNames('flex min-w-0 flex-col', Heading === 'h4' && 'not-last:pb-2')}>
      <div className="flex min-h-6 items-center gap-2">
        <Heading className={classNames('shrink-0', Heading === 'h3' ? 'font-medium' : 'text-muted')}>{title}</Heading>
        {path !== undefined && (
          <span className="min-w-0 flex-1 truncate font-mono text-small text-muted" title={visibleText(path)}>
            {visibleText(path)}
          </span>
        )}
        {onConnectAll && ready > 1 && (
          <Button
            size="small"
            aria-label={`Connect all servers of ${title}`}
            title={left === 0 ? undefined : `Connects ${countOf(ready, 'server')}, but not the other ${left}`}
            onClick={onConnectAll}
          >
            Connect all
          </Button>
        )}
      </div>
      <Rows>{servers.map(rowOf)}</Rows>
    </section>
  );
}

function Skipped({ config: { path, reason }, host }: { readonly config: SkippedConfig; readonly host: string }) {
  return (
    <p className="text-small break-words text-warn">
      ! <span className="font-mono break-all">{visibleText(path)}</span> ({host}): <Sentence text={reason} />
    </p>
  );
}
