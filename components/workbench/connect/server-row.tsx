import { type FormEvent, type ReactNode, useId } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { TextInput } from '@/components/ui/inputs';
import { Menu } from '@/components/ui/menu';
import type { MenuItem } from '@/components/ui/menu-list';
import { Sentence } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useDraft } from '@/lib/hooks/drafts';
import type { ServerChange, TapAction } from '@/lib/wire/api';
import type { GivenInput } from '@/lib/wire/config-inputs';
import { commandLine, formatAgo, type ListedServer, shownName } from './server-groups';
import { ServerInputs } from './server-inputs';

/** Marks a row's button, for the arrow keys. */
export const ROW_ATTRIBUTE = 'data-server';

export interface ServerRowActions {
  /** Connects, or opens the form for the inputs. */
  readonly onPress: () => void;
  readonly onConnect: (inputs: readonly GivenInput[]) => void;
  readonly onCancel: () => void;
  readonly onEdit: () => void;
  readonly onCopy: () => void;
  /** Shows how the host’s config would change. Absent if nothing changes it. */
  readonly onTap: ((action: TapAction) => void) | undefined;
  /** Resolves to true if the list was changed. */
  readonly onChange: (change: ServerChange) => Promise<boolean>;
}

interface ServerRowProps extends ServerRowActions {
  readonly server: ListedServer;
  /** The part of its command that tells it apart from the other rows. */
  readonly part: string;
  /** A connection is being made. */
  readonly busy: boolean;
  /** Its inputs are asked for. */
  readonly asking: boolean;
  /** The change of the host’s config, if it is shown. */
  readonly tapChange: ReactNode;
  /** The only row of the list that the Tab key reaches. */
  readonly reachable: boolean;
  readonly onFocus: () => void;
}

/** A server in the list. A click connects; the menu has everything else. */
export function ServerRow({ server, part, busy, asking, tapChange, reachable, onFocus, ...actions }: ServerRowProps) {
  const { id, origin, problem, inputs, tap, disabled, pinned, lastUsed, unopened } = server;
  const { onTap } = actions;
  const aboutId = useId();
  const [typedName, setTypedName] = useDraft<string | null>(`rename server ${id}`, null);
  const name = visibleText(shownName(server));
  const command = commandLine(server);
  const blocked = problem !== undefined;
  const tabIndex = reachable ? 0 : -1;
  return (
    <li onFocus={onFocus} className="group relative">
      {typedName !== null ? (
        <RenameForm
          name={shownName(server)}
          text={typedName}
          onText={setTypedName}
          onRename={async (text) => {
            const isSame = text === shownName(server);
            // After a failure the typed name stays.
            if (isSame || (await actions.onChange({ kind: 'rename', id, name: text }))) setTypedName(null);
          }}
          onCancel={() => setTypedName(null)}
        />
      ) : (
        <button
          {...{ [ROW_ATTRIBUTE]: id }}
          type="button"
          tabIndex={tabIndex}
          aria-label={`Connect ${name.slice(0, 80)}`}
          aria-describedby={aboutId}
          aria-disabled={blocked || busy || undefined}
          aria-expanded={inputs && asking}
          title={visibleText(command)}
          onClick={() => !blocked && !busy && actions.onPress()}
          className={classNames(
            'flex h-8 w-full min-w-0 items-center gap-2 rounded pr-9 pl-2 text-left hover:bg-text/6',
            blocked && 'cursor-not-allowed',
          )}
        >
          <span className="text-muted">
            <Icon name={server.target.transport === 'stdio' ? 'raw' : 'server'} />
          </span>
          <bdi className="min-w-0 truncate font-medium">{name || '(no name)'}</bdi>
          <bdi id={aboutId} className="min-w-0 flex-1 truncate font-mono text-small text-muted">
            {origin === 'demo' ? 'A sample server to try out' : part !== name && visibleText(part)}
            {pinned && <span className="sr-only"> pinned</span>}
          </bdi>
          {pinned && (
            <span className="shrink-0 text-muted">
              <Icon name="pin" />
            </span>
          )}
          {unopened && <span className="shrink-0 text-small text-error">× Failed last time</span>}
          {disabled && <Badge title="The config disables this server">disabled</Badge>}
          {tap && <TapBadge missing={tap.missing} />}
          {lastUsed !== undefined && (
            <time
              dateTime={lastUsed}
              title={new Date(lastUsed).toLocaleString()}
              className="tabular shrink-0 text-small text-muted"
            >
              {formatAgo(lastUsed, new Date())}
            </time>
          )}
        </button>
      )}
      {typedName === null && (
        <span className="absolute top-1 right-1.5 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-aria-expanded:opacity-100 [@media(hover:none)]:opacity-100">
          <Menu
            label={`More actions for ${name.slice(0, 80)}`}
            tabIndex={tabIndex}
            items={() => menuItems(server, actions, () => setTypedName(shownName(server)))}
          >
            <Icon name="more" />
          </Menu>
        </span>
      )}
      {tap?.missing !== undefined && (
        <p className="flex flex-wrap items-center gap-x-2 px-2 pb-1 text-error">
          <span className="min-w-0 break-words">The host can’t start it: {visibleText(tap.missing)} is gone.</span>
          {onTap && (
            <Button size="small" aria-label={`Repair the tap of ${name.slice(0, 80)}`} onClick={() => onTap('tap')}>
              Repair…
            </Button>
          )}
        </p>
      )}
      {problem !== undefined && (
        <p className="px-2 pb-1 break-words text-error">
          <Sentence text={problem} />
        </p>
      )}
      {tapChange}
      {inputs && asking && (
        <ServerInputs server={server} disabled={busy} onConnect={actions.onConnect} onCancel={actions.onCancel} />
      )}
    </li>
  );
}

/** Says that the host starts a server through mcp-inspect, and whether it can. */
function TapBadge({ missing }: { readonly missing: string | undefined }) {
  if (missing === undefined) return <Badge title="The host starts it through mcp-inspect">tapped</Badge>;
  return (
    <span className="shrink-0 text-small text-error" title={`The host can’t start it: ${visibleText(missing)} is gone`}>
      × tap broken
    </span>
  );
}

function menuItems(server: ListedServer, actions: ServerRowActions, rename: () => void): readonly MenuItem[] {
  const { id, origin, pinned, problem, keptId, target, tap } = server;
  const { onPress, onEdit, onCopy, onTap, onChange } = actions;
  const canTap = origin === 'found' && target.transport === 'stdio' && target.command !== '';
  const kept: readonly MenuItem[] = [
    { label: 'Rename', run: rename },
    { label: 'Duplicate', run: () => void onChange({ kind: 'duplicate', id, name: `${shownName(server)} copy` }) },
    { label: pinned ? 'Unpin' : 'Pin', run: () => void onChange({ kind: 'pin', id, on: !pinned }) },
    { label: 'Delete', run: () => void onChange({ kind: 'delete', id }) },
  ];
  return [
    ...(problem === undefined ? [{ label: 'Connect', run: onPress }] : []),
    { label: 'Edit…', run: onEdit },
    ...(origin === 'kept' ? kept : []),
    // Pinned, it moves to the top.
    ...(keptId === undefined
      ? []
      : [{ label: 'Pin', run: () => void onChange({ kind: 'pin', id: keptId, on: true }) }]),
    { label: 'Copy as mcpServers JSON', run: onCopy, separatorBefore: true },
    ...(onTap && canTap
      ? [
          ...(tap?.missing === undefined ? [] : [{ label: 'Repair the tap…', run: () => onTap('tap') }]),
          tap ? { label: 'Untap…', run: () => onTap('untap') } : { label: 'Tap…', run: () => onTap('tap') },
        ]
      : []),
  ];
}

/** The name of a row as a text box. Enter saves, Esc cancels. */
function RenameForm({
  name,
  text,
  onText,
  onRename,
  onCancel,
}: {
  readonly name: string;
  /** The typed name. It survives a reload of the tab. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onRename: (name: string) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') void onRename(text.trim());
  };
  return (
    <form onSubmit={submit} className="flex gap-2 p-2">
      <TextInput
        aria-label="Name of the server"
        autoFocus
        maxLength={200}
        value={text}
        onChange={onText}
        onFocus={(event) => text === name && event.target.select()}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          // The dialog around it stays open.
          event.stopPropagation();
          onCancel();
        }}
      />
      <Button type="submit" disabled={text.trim() === ''}>
        Rename
      </Button>
      <Button variant="ghost" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}
