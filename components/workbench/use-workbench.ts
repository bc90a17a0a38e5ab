import { useState } from 'react';
import { flushSync } from 'react-dom';
import { connectionEntries } from '@/components/exchange/connection-labels';
import { LOG_VIEWS, PANELS, RUNS_PANELS } from '@/components/panels/registry';
import { FEATURE_PAGES } from '@/features/page-features';
import { useClient } from '@/lib/hooks/client';
import { useConnections } from '@/lib/hooks/connections';
import { useLinkedRecording } from '@/lib/hooks/linked-recording';
import { useLocation } from '@/lib/hooks/location';
import { entryOf } from '@/lib/wire/command';
import type { ServerDraft } from './connect/server-draft';
import { useCommand, useConnectionActions } from './connection-commands';
import {
  focusPanelContent,
  useFocusRecovery,
  usePanelFocus,
  useWorkbenchShortcuts,
  type WorkbenchDialog,
} from './keyboard';
import { CHOOSE } from './other-run';
import { placeIn, useMovedPanels, useOpenPanel } from './panel-items';
import { pickFiles } from './recording-drop';

/** Files that may describe a server. */
const SERVER_ENDINGS = ',.json,.mcpb,.dxt';
const SERVER_FILE = /\.(?:mcpb|dxt|json)$/i;

/** The workbench's state and actions, shared by its layout and its dialogs. */
export type WorkbenchState = ReturnType<typeof useWorkbench>;

/** Returns the workbench's state: the selected connection, the open dialog, and what the user can do. */
export function useWorkbench() {
  const client = useClient();
  const { connections, loading, error } = useConnections();
  const { connection: wanted, compare, page, panel, filter, navigate } = useLocation();
  const { run, open, attempt, opening, failure, dismiss } = useCommand();
  const [dialog, setDialog] = useState<WorkbenchDialog>();
  // Kept outside the dialog, so that closing it loses nothing. It may hold secrets, so the form stores it without them.
  const [draft, setDraft] = useState<ServerDraft>();
  // A tapped session that begins must not take the place of what is shown.
  const own = connections.filter(({ recording }) => !recording?.tap);
  // An address that names no connection keeps the entry that it shows when another server is added.
  const [unnamed, setUnnamed] = useState<string>();
  const lasting = own.filter(({ trial }) => trial === undefined);
  const fallback = lasting.findLast((one) => entryOf(one) === unnamed) ?? lasting.at(-1) ?? own.at(-1);
  if (fallback && entryOf(fallback) !== unnamed) setUnnamed(entryOf(fallback));
  const selected = connections.find(({ id }) => id === wanted) ?? fallback;
  const compared = connections.find(({ id }) => id === compare && id !== selected?.id);
  // A shared file can't connect to a server or open another recording.
  const inFile = client.status === 'file';
  const comparing = compare !== undefined && selected !== undefined && (compared !== undefined || !inFile);
  const focusPanel = usePanelFocus(dialog === undefined ? selected?.id : undefined);

  // Another run is of the same server, so the filter and the item still apply.
  const show = (connection: string) => {
    setDialog(undefined);
    const summary = connections.find(({ id }) => id === connection);
    const isRun = summary !== undefined && selected !== undefined && entryOf(summary) === entryOf(selected);
    const place = placeIn(connection, panel);
    navigate(isRun ? { connection, frame: place.frame, filter } : { connection, ...place });
  };
  const showAndFocus = (connection: string) => {
    focusPanel(connection);
    show(connection);
  };
  const actions = useConnectionActions({
    connections,
    selected,
    run,
    onEdit: (again) => {
      if (again) setDraft(again);
      setDialog('add');
    },
    onMade: showAndFocus,
  });
  const onConnected = (connection: string) => {
    setDraft(undefined);
    showAndFocus(connection);
  };
  const openFiles = async (files: readonly File[], onOpened: (connection: string) => void = showAndFocus) => {
    for (const file of files) {
      if (SERVER_FILE.test(file.name)) {
        const draft = await attempt(async () => (await import('./connect/server-file')).draftOfFile(file, client));
        if (draft === undefined) return;
        if (draft !== 'recording') {
          setDraft(draft);
          setDialog('add');
          return;
        }
      }
      const connection = await open(file);
      // Stop at a failure, so that the next file does not hide its message.
      if (connection === undefined) return;
      onOpened(connection);
    }
  };
  /** Compares two connections; the first one is selected. */
  const compareTwo = (connection: string | undefined, compare: string) => {
    setDialog(undefined);
    navigate({ connection, panel: RUNS_PANELS[0]?.id, item: undefined, compare });
  };
  const openCompare = () => {
    flushSync(() => compareTwo(selected?.id, CHOOSE));
    focusPanelContent();
  };
  const recordingsShown = page === 'recordings' && client.recordings !== undefined;
  const openRecordings = client.recordings && (() => navigate({ page: 'recordings' }));
  const pages = client.api === undefined ? [] : FEATURE_PAGES;
  const shownPage = pages.find(({ id }) => id === page);
  const openShare = selected && !inFile ? () => setDialog('share') : undefined;

  const linkedUrl = useLinkedRecording(inFile, open, show);
  const { openPanel, openPlace } = useOpenPanel(selected?.id);
  useMovedPanels();
  useWorkbenchShortcuts(selected ? [...PANELS, ...LOG_VIEWS] : [], setDialog, {
    openPanel,
    shares: openShare !== undefined,
    recordings: openRecordings !== undefined,
    pages,
    servers:
      connections.length < 2
        ? []
        : connectionEntries(connections)
            .filter(({ newest }) => !newest.recording)
            .map(
              ({ newest }) =>
                () =>
                  show(newest.id),
            ),
  });
  useFocusRecovery();
  return {
    connections,
    loading,
    error,
    selected,
    compared,
    comparing,
    recordingsShown,
    shownPage,
    inFile,
    actions,
    linkedUrl,
    opening,
    failure,
    dismiss,
    dialog,
    setDialog,
    draft,
    setDraft,
    onConnected,
    show,
    showAndFocus,
    compareTwo,
    openCompare,
    openPanel,
    openPlace,
    openRecordings,
    pages,
    openShare,
    compareWith: (connection: string) => compareTwo(selected?.id, connection),
    openFiles: (files: readonly File[]) => void openFiles(files),
    /** Opens the file picker, then the chosen files. */
    pickRecordings: (onOpened?: (connection: string) => void) =>
      pickFiles(
        (files) => {
          // A dialog would hide the progress, and what went wrong.
          setDialog(undefined);
          void openFiles(files, onOpened);
        },
        onOpened ? undefined : SERVER_ENDINGS,
      ),
  };
}
