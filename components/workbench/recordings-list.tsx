import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorNote } from '@/components/ui/error-note';
import { formatCount } from '@/components/ui/format';
import { Spinner } from '@/components/ui/spinner';
import { saveFile } from '@/components/untrusted/save-file';
import { useRecordings } from '@/lib/hooks/use-recordings';
import type { RecordingEntry } from '@/lib/wire/api';
import { formatBytes } from '@/lib/wire/format-bytes';
import type { Failure } from '@/lib/wire/lifecycle';
import { pickFiles, RecordingDrop } from './recording-drop';
import { BrowserKept } from './recordings/browser-kept';
import { ChosenBar } from './recordings/chosen-bar';
import { DeletedNote } from './recordings/deleted-note';
import { type Imported, importFiles } from './recordings/import-files';
import { ImportNote } from './recordings/import-note';
import { KeepForm } from './recordings/keep-form';
import { LossQuestion } from './recordings/loss-question';
import { OlderNote } from './recordings/older-note';
import { RecordedNote } from './recordings/recorded-note';
import { isWanted, nameOf } from './recordings/recording-names';
import { RecordingTable } from './recordings/recording-table';
import { RecordingsSearch } from './recordings/recordings-search';

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
  const { reply, error, open, read, remove, describe, add, keep, seen, recordSwitch, showOlder } = useRecordings();
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
  const shown = recordings.filter((entry) => isWanted(entry, search));
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
      {reply?.deleted && <DeletedNote deleted={reply.deleted} onSeen={() => void attempt(seen)} />}
      {!reply && !error && <Spinner label="Reading the list" />}
      {reply?.unusable && <ErrorNote codeless failure={reply.unusable} />}
      {reply && !reply.unusable && recordings.length === 0 && (
        <EmptyState title="Nothing is recorded yet">
          {reply.off ? '' : 'Connect to a server: what is said is kept here. '}A recording from elsewhere can be dropped
          onto this page.
        </EmptyState>
      )}
      {recordings.length > 0 && (
        <ChosenBar
          count={selected.length}
          all={selected.length > 0 && selected.length === shown.length}
          onAll={(all) => setChosen(new Set(all ? shown.map(({ id }) => id) : []))}
          onCompare={selected.length === 2 ? () => void compareTwo(selected) : undefined}
          onExport={() => void save(selected)}
          onDelete={() => setDoomed(selected)}
        />
      )}
      {doomed.length > 0 && (
        <LossQuestion key={doomed[0]} act="Delete for good" onAct={deleteDoomed} onKeep={() => setDoomed([])}>
          {deleteWords(doomed, recordings)}
        </LossQuestion>
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
      {reply && recordSwitch && <BrowserKept keep={reply.keep} recordings={recordings} />}
      {reply && keep && (
        <KeepForm
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
  if (only) return `Delete the recording ${nameOf(only)}, ${formatBytes(only.bytes)}? Nothing brings it back.`;
  return `Delete ${formatCount(ids.length)} recordings? Nothing brings them back.`;
}
