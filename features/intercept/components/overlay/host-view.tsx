import { Suspense, useCallback, useState } from 'react';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import type { ToolChanges } from '@/features/page-feature';
import { useConnections } from '@/lib/hooks/connections';
import { navigate, useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import type { ListEntry } from '@/lib/store/state/state';
import { canSend } from '@/lib/wire/lifecycle';
import { OverlayNote } from './overlay-note';
import { useOverlay } from './use-overlay';

const ToolDialog = lazyWhenIdle(() => import('./tool-dialog').then((file) => file.ToolDialog));
const ChangesDialog = lazyWhenIdle(() => import('./changes-dialog').then((file) => file.ChangesDialog));

/** The open dialog: all changes, or one tool, by the server's name. */
type Opened = { readonly kind: 'all' } | { readonly kind: 'tool'; readonly tool: string; readonly part: Part };
type Part = 'edit' | 'compare';

const MARK = { label: 'changed', title: 'The host sees another definition than the server’s', tone: 'accent' } as const;

/** Returns how the host sees the tools, and lets a person change that. */
export function useHostView(log: Log): ToolChanges {
  const host = useOverlay(log);
  const isReadOnly = useIsReadOnly(log);
  const isListed = useLogState(log, ({ tools }) => tools.status === 'listed');
  const server = useLogState(log, ({ connection }) => connection.start?.name ?? '');
  const { item } = useLocation();
  const [opened, setOpened] = useState<Opened>();
  const { overlay } = host;
  const serverName = useCallback(
    // A list from before a change has the names of then.
    (name: string) => overlay?.serverName(name) ?? name,
    [overlay],
  );
  const isChanged = useCallback(
    (name: string) => overlay !== undefined && Object.hasOwn(overlay.file.tools, serverName(name)),
    [overlay, serverName],
  );
  const markOf = useCallback(({ name }: ListEntry) => (isChanged(name) ? MARK : undefined), [isChanged]);
  const definition =
    opened?.kind === 'tool' ? host.tools?.find(({ name }) => name === opened.tool)?.definition : undefined;
  const close = () => setOpened(undefined);
  // Its name may change, and the server's name leads to it in any case.
  const onApplied = (tool: string) => {
    if (item !== undefined && serverName(item) === tool) navigate({ item: tool });
    close();
  };
  const openTool = (tool: string, part: Part) => setOpened({ kind: 'tool', tool, part });
  return {
    note: <OverlayNote {...{ host, isReadOnly, isListed }} onShow={() => setOpened({ kind: 'all' })} />,
    markOf,
    serverName,
    keyOf: (item) => (serverName(item) === item ? (overlay?.hostName(item) ?? item) : serverName(item)),
    itemOf: (name) => {
      const tool = serverName(name);
      if (!host.tools?.some((other) => other.name === tool) || (isReadOnly && !isChanged(name))) return undefined;
      return isReadOnly
        ? { label: 'Compare with the server’s definition', run: () => openTool(tool, 'compare') }
        : { label: 'Override for clients…', run: () => openTool(tool, 'edit') };
    },
    dialogs: (
      <Suspense>
        {opened?.kind === 'all' && (
          <ChangesDialog {...{ host, isReadOnly, server }} onOpen={openTool} onClose={close} />
        )}
        {opened?.kind === 'tool' && definition !== undefined && (
          <ToolDialog
            key={opened.tool}
            {...{ host, isReadOnly, definition }}
            tool={opened.tool}
            startsWith={opened.part}
            onApplied={() => onApplied(opened.tool)}
            onClose={close}
          />
        )}
      </Suspense>
    ),
  };
}

/** True if the overlay of a log can't be changed: a moment of the past, a recording, or a server that is gone. */
function useIsReadOnly(log: Log): boolean {
  const isOpen = useLogState(log.whole, ({ connection }) => canSend(connection.state));
  const { connections } = useConnections();
  const recording = connections.find(({ id }) => id === log.connection)?.recording;
  return log !== log.whole || !(recording ? recording.tap?.live : isOpen);
}
