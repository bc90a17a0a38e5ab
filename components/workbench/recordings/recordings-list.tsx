import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/inputs';
import { EmptyState, ErrorNote, Spinner } from '@/components/ui/notices';
import { useDraft } from '@/lib/hooks/drafts';
import { useImportResult, useRecordings } from '@/lib/hooks/recordings';
import type { RecordingEntry } from '@/lib/wire/api';
import { formatBytes, formatCount } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { pickFiles, RecordingDrop } from '../recording-drop';
import { matchesSearch, recordingName } from './labels';
import { RecordingsSearch } from './recording-entry';
import { type RecordingActions, RecordingTable } from './recording-table';
import { BrowserRetention, ConfirmDelete, DeletedNote, OlderNote, RecordedNote, RetentionForm } from './retention';
import { ExportProgress, ImportNote, useExport } from './transfers';

/** The recordings: open, name, compare, export, delete and import them, and set how long they are kept. */
export function RecordingsList({
  shown: onScreen,
  onOpened,
  onCompare,
  onCompareTwo,
  onPick,
}: {
  /** Name or path of the selected connection's recording. */
  readonly shown: string | undefined;
  readonly onOpened: (connection: string) => void;
  /** Compares the selected connection with this one. Absent if none is selected. */
  readonly onCompare: ((connection: string) => void) | undefined;
  /** Compares two connections. */
  readonly onCompareTwo: (one: string, other: string) => void;
  /** Opens the file picker. */
  readonly onPick: () => void;
}) {
  const list = useRecordingActions({ onOpened, onCompare, onCompareTwo });
  const { reply, error, failure, recordings, shown, selected, toDelete, attempt } = list;
  const { imports, exporting, confirmDeletions, recordSwitch, showOlder, keep } = list;
  const message = failure ?? error;
  return (
    // The table scrolls. In a low window, all of it does.
    <div className="flex min-h-0 flex-col gap-2 overflow-auto *:shrink-0">
      {imports && <RecordingDrop words="Drop recordings to import them" onFiles={imports.start} />}
      <div className="flex flex-wrap items-center gap-2">
        <RecordedNote reply={reply} inBrowser={recordSwitch} />
        {recordSwitch && (
          <Checkbox checked={recordSwitch.on} onChange={recordSwitch.set} label="Record in this browser" />
        )}
        <RecordingsSearch count={recordings.length} search={list.search} onSearch={list.setSearch} />
        {imports && (
          <Button onClick={() => pickFiles(imports.start)} title="Copy recording files into this list">
            Import…
          </Button>
        )}
        <Button onClick={onPick} title="Open a file without importing it">
          Open recording…
        </Button>
      </div>
      {message && <ErrorNote codeless failure={message} />}
      {imports && <ImportNote imports={imports} />}
      {exporting && <ExportProgress {...exporting} />}
      {reply?.deleted && <DeletedNote deleted={reply.deleted} onSeen={() => void attempt(confirmDeletions)} />}
      {!reply && !error && <Spinner label="Loading recordings" />}
      {reply?.unusable && <ErrorNote codeless failure={reply.unusable} />}
      {reply && !reply.unusable && recordings.length === 0 && <NoRecordings off={reply.off === true} />}
      {recordings.length > 0 && (
        <SelectionBar
          count={selected.length}
          all={selected.length > 0 && selected.length === shown.length}
          onAll={list.selectAll}
          onCompare={selected.length === 2 ? list.compareSelected : undefined}
          onExport={() => void list.save(selected)}
          onDelete={() => list.setToDelete(selected)}
        />
      )}
      {toDelete.length > 0 && (
        <ConfirmDelete
          key={toDelete[0]}
          act="Delete permanently"
          onAct={list.deleteConfirmed}
          onKeep={() => list.setToDelete([])}
        >
          {confirmText(toDelete, recordings)}
        </ConfirmDelete>
      )}
      {shown.length > 0 && (
        <RecordingTable
          recordings={shown}
          chosen={list.chosen}
          current={onScreen?.split(/[\\/]/).at(-1)}
          actionsOf={list.actionsOf}
        />
      )}
      {recordings.length > 0 && shown.length === 0 && <EmptyState title="No recording matches your search" />}
      {reply?.older && <OlderNote listed={recordings.length} older={reply.older} onMore={showOlder} />}
      {reply && recordSwitch && <BrowserRetention keep={reply.keep} recordings={recordings} />}
      {reply && keep && <RetentionForm keep={reply.keep} recordings={recordings} older={reply.older} onKeep={keep} />}
    </div>
  );
}

function NoRecordings({ off }: { readonly off: boolean }) {
  return (
    <EmptyState title="No recordings yet">
      {off ? 'Drop a recording file onto this page' : 'Connect to a server to record it, or drop a recording file here'}
    </EmptyState>
  );
}

type RecordingActionOptions = Pick<Parameters<typeof RecordingsList>[0], 'onOpened' | 'onCompare' | 'onCompareTwo'>;

/** The list's state: recordings, search, selection, failures, and the actions on recordings. */
function useRecordingActions({ onOpened, onCompare, onCompareTwo }: RecordingActionOptions) {
  const { reply, open, read, remove, describe, keep, ...others } = useRecordings();
  useImportResult();
  const [failure, setFailure] = useState<Failure>();
  const { exporting, exportAll } = useExport(read);
  const [search, setSearch] = useDraft('search recordings', '');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  /** ids of the recordings to delete once the user confirms. */
  const [toDelete, setToDelete] = useState<readonly string[]>([]);
  const recordings = reply?.recordings ?? [];
  const shown = recordings.filter((entry) => matchesSearch(entry, search));
  // Actions apply only to recordings that match the search.
  const selected = shown.filter(({ id }) => chosen.has(id)).map(({ id }) => id);

  /** Resolves to the result; undefined if it failed, and the failure is shown. */
  const tried = async <Done,>(act: () => Promise<Done>): Promise<Done | undefined> => {
    setFailure(undefined);
    try {
      return await act();
    } catch (reason) {
      setFailure(reason as Failure);
      return undefined;
    }
  };
  const attempt = async (act: () => Promise<void>): Promise<boolean> =>
    (await tried(() => act().then(() => true))) ?? false;
  const choose = (id: string, wanted: boolean) =>
    setChosen((before) => {
      const after = new Set(before);
      if (wanted) after.add(id);
      else after.delete(id);
      return after;
    });
  const save = (ids: readonly string[]) => attempt(() => exportAll(ids));
  const actionsOf = ({ id }: RecordingEntry): RecordingActions => ({
    onChoose: (wanted) => choose(id, wanted),
    onOpen: () => void attempt(async () => onOpened(await open(id))),
    onDescribe: (about) => attempt(() => describe(id, about)),
    onCompare: onCompare && (() => void attempt(async () => onCompare(await open(id)))),
    onExport: () => void save([id]),
    onDelete: () => setToDelete([id]),
  });
  return {
    ...others,
    reply,
    recordings,
    shown,
    selected,
    chosen,
    search,
    setSearch,
    failure,
    toDelete,
    setToDelete,
    attempt,
    save,
    exporting,
    actionsOf,
    /** Absent where the limits can't be changed. */
    keep: keep && ((...settings: Parameters<NonNullable<typeof keep>>) => tried(() => keep(...settings))),
    selectAll: (all: boolean) => setChosen(new Set(all ? shown.map(({ id }) => id) : [])),
    compareSelected: () =>
      void attempt(async () => {
        const [one, other] = selected;
        onCompareTwo(await open(one!), await open(other!));
      }),
    deleteConfirmed: () => {
      setToDelete([]);
      void attempt(() => remove(toDelete));
    },
  };
}

function confirmText(ids: readonly string[], recordings: readonly RecordingEntry[]): string {
  const only = ids.length === 1 ? recordings.find(({ id }) => id === ids[0]) : undefined;
  if (only) return `Delete the recording ${recordingName(only)} (${formatBytes(only.bytes)})? This can’t be undone.`;
  return `Delete ${formatCount(ids.length)} recordings? This can’t be undone.`;
}

/** The actions on the selected recordings. */
export function SelectionBar({
  count,
  all,
  onAll,
  onCompare,
  onExport,
  onDelete,
}: {
  readonly count: number;
  /** All are selected. */
  readonly all: boolean;
  readonly onAll: (all: boolean) => void;
  /** Absent unless two are selected. */
  readonly onCompare: (() => void) | undefined;
  readonly onExport: () => void;
  readonly onDelete: () => void;
}) {
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-2 border-b border-line pb-1">
      <Checkbox checked={all} onChange={onAll} label="Select all" />
      {count > 0 && (
        <>
          <span role="status" className="tabular text-muted">
            {formatCount(count)} selected
          </span>
          {onCompare && (
            <Button size="small" onClick={onCompare}>
              Compare selected
            </Button>
          )}
          <Button size="small" onClick={onExport}>
            Export selected
          </Button>
          <Button size="small" onClick={onDelete}>
            Delete selected
          </Button>
          <span className="ml-auto text-small text-muted narrow:ml-0">
            Exports are not reviewed for secrets. To share, open a recording and press Share.
          </span>
        </>
      )}
    </div>
  );
}
