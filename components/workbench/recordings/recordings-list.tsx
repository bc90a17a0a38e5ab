import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/inputs';
import { EmptyState, ErrorNote, Spinner } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { saveFile } from '@/components/untrusted/download';
import { useRecordings } from '@/lib/hooks/recordings';
import type { RecordingEntry } from '@/lib/wire/api';
import { formatBytes, formatCount } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { pickFiles, RecordingDrop } from '../recording-drop';
import { matchesSearch, recordingName } from './labels';
import { RecordingsSearch } from './recording-entry';
import { RecordingTable } from './recording-table';
import { BrowserRetention, ConfirmDelete, DeletedNote, OlderNote, RecordedNote, RetentionForm } from './retention';

/** The recordings that are kept: to be opened, named, saved elsewhere, deleted, one or many; and others to be kept with them. */
export function RecordingsList({
  shown: onScreen,
  onOpened,
  onCompare,
  onCompareTwo,
  onPick,
}: {
  /** Name or path of the file of the connection that is shown behind. */
  readonly shown: string | undefined;
  readonly onOpened: (connection: string) => void;
  /** Compares what is selected with it. Absent if nothing is. */
  readonly onCompare: ((connection: string) => void) | undefined;
  /** Compares two. */
  readonly onCompareTwo: (one: string, other: string) => void;
  /** Asks for a file from elsewhere. */
  readonly onPick: () => void;
}) {
  const { reply, error, open, read, remove, describe, add, keep, confirmDeletions, recordSwitch, showOlder } =
    useRecordings();
  const [failure, setFailure] = useState<Failure>();
  const [imported, setImported] = useState<Imported>();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [doomed, setDoomed] = useState<readonly string[]>([]);
  /** What came of it; undefined if it failed. */
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
  const recordings = reply?.recordings ?? [];
  const shown = recordings.filter((entry) => matchesSearch(entry, search));
  // What is not in sight is not acted on.
  const selected = shown.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const choose = (id: string, wanted: boolean) =>
    setChosen((before) => {
      const after = new Set(before);
      if (wanted) after.add(id);
      else after.delete(id);
      return after;
    });
  const save = (ids: readonly string[]) =>
    attempt(async () => {
      for (const id of ids) saveFile(await read(id), id);
    });
  const keepFiles =
    add &&
    ((files: readonly File[]) => {
      setImported(undefined);
      void importFiles(files, add).then(setImported);
    });
  const compareTwo = ([one, other]: readonly string[]) =>
    attempt(async () => onCompareTwo(await open(one!), await open(other!)));
  const deleteDoomed = () => {
    setDoomed([]);
    void attempt(() => remove(doomed));
  };
  const actionsOf = ({ id }: RecordingEntry) => ({
    onChoose: (wanted: boolean) => choose(id, wanted),
    onOpen: () => void attempt(async () => onOpened(await open(id))),
    onDescribe: (about: Parameters<typeof describe>[1]) => attempt(() => describe(id, about)),
    onCompare: onCompare && (() => void attempt(async () => onCompare(await open(id)))),
    onExport: () => void save([id]),
    onDelete: () => setDoomed([id]),
  });
  return (
    <div className="flex min-h-0 flex-col gap-2">
      {keepFiles && <RecordingDrop words="Drop recordings to keep copies of them here" onFiles={keepFiles} />}
      <div className="flex flex-wrap items-center gap-2">
        <RecordedNote reply={reply} inBrowser={recordSwitch} />
        {recordSwitch && (
          <Checkbox checked={recordSwitch.on} onChange={recordSwitch.set} label="Record in this browser" />
        )}
        <RecordingsSearch count={recordings.length} search={search} onSearch={setSearch} />
        {keepFiles && (
          <Button onClick={() => pickFiles(keepFiles)} title="Copies files to the recordings that are kept">
            Import…
          </Button>
        )}
        <Button onClick={onPick} title="Shows a file once, and keeps no copy of it">
          Open file…
        </Button>
      </div>
      {(failure ?? error) && <ErrorNote codeless failure={(failure ?? error)!} />}
      {imported && <ImportNote imported={imported} />}
      {reply?.deleted && <DeletedNote deleted={reply.deleted} onSeen={() => void attempt(confirmDeletions)} />}
      {!reply && !error && <Spinner label="Reading the list" />}
      {reply?.unusable && <ErrorNote codeless failure={reply.unusable} />}
      {reply && !reply.unusable && recordings.length === 0 && (
        <EmptyState title="Nothing is recorded yet">
          {reply.off ? '' : 'Connect to a server: what is said is kept here. '}A recording from elsewhere can be dropped
          onto this page.
        </EmptyState>
      )}
      {recordings.length > 0 && (
        <SelectionBar
          count={selected.length}
          all={selected.length > 0 && selected.length === shown.length}
          onAll={(all) => setChosen(new Set(all ? shown.map(({ id }) => id) : []))}
          onCompare={selected.length === 2 ? () => void compareTwo(selected) : undefined}
          onExport={() => void save(selected)}
          onDelete={() => setDoomed(selected)}
        />
      )}
      {doomed.length > 0 && (
        <ConfirmDelete key={doomed[0]} act="Delete for good" onAct={deleteDoomed} onKeep={() => setDoomed([])}>
          {deleteWords(doomed, recordings)}
        </ConfirmDelete>
      )}
      {shown.length > 0 && (
        <RecordingTable
          recordings={shown}
          chosen={chosen}
          current={onScreen?.split(/[\\/]/).at(-1)}
          actionsOf={actionsOf}
        />
      )}
      {recordings.length > 0 && shown.length === 0 && <EmptyState title="None of them has these words" />}
      {reply?.older && <OlderNote listed={recordings.length} older={reply.older} onMore={showOlder} />}
      {reply && recordSwitch && <BrowserRetention keep={reply.keep} recordings={recordings} />}
      {reply && keep && (
        <RetentionForm
          keep={reply.keep}
          recordings={recordings}
          older={reply.older}
          onKeep={(kept, anyway) => tried(() => keep(kept, anyway))}
        />
      )}
    </div>
  );
}

function deleteWords(ids: readonly string[], recordings: readonly RecordingEntry[]): string {
  const only = ids.length === 1 ? recordings.find(({ id }) => id === ids[0]) : undefined;
  if (only) return `Delete the recording ${recordingName(only)}, ${formatBytes(only.bytes)}? Nothing brings it back.`;
  return `Delete ${formatCount(ids.length)} recordings? Nothing brings them back.`;
}

/** What can be done with the recordings that are selected. */
export function SelectionBar({
  count,
  all,
  onAll,
  onCompare,
  onExport,
  onDelete,
}: {
  readonly count: number;
  /** Every one is selected. */
  readonly all: boolean;
  readonly onAll: (all: boolean) => void;
  /** Absent unless two are. */
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
              Compare the two
            </Button>
          )}
          <Button size="small" onClick={onExport}>
            Export selected
          </Button>
          <Button size="small" onClick={onDelete}>
            Delete selected
          </Button>
          <span className="ml-auto text-small text-muted">
            Exports are as kept. To give one away, open it and press Share.
          </span>
        </>
      )}
    </div>
  );
}

/** How many files are kept now, and which are not, and why. */
export function ImportNote({ imported: { kept, failed } }: { readonly imported: Imported }) {
  return (
    <div className="flex flex-col gap-1">
      {kept > 0 && <p role="status">{formatCount(kept)} imported</p>}
      {failed.map(({ file, failure }, index) => (
        <ErrorNote
          // biome-ignore lint/suspicious/noArrayIndexKey: two files of one name may have failed
          key={index}
          codeless
          failure={{ ...failure, message: `${visibleText(file)}: ${failure.message}` }}
        />
      ))}
    </div>
  );
}

/** What came of files that were to be kept. */
export interface Imported {
  readonly kept: number;
  readonly failed: readonly { readonly file: string; readonly failure: Failure }[];
}

/** Keeps copies of files, one after the other: what is wrong with one keeps no other from it. */
export async function importFiles(files: readonly File[], add: (file: File) => Promise<unknown>): Promise<Imported> {
  let kept = 0;
  const failed: { file: string; failure: Failure }[] = [];
  for (const file of files) {
    try {
      await add(file);
      kept++;
    } catch (failure) {
      failed.push({ file: file.name, failure: failure as Failure });
    }
  }
  return { kept, failed };
}
