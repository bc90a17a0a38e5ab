import { useState } from 'react';
import { ErrorNote } from '@/components/ui/notices';
import { WorkProgress } from '@/components/ui/progress';
import { visibleText } from '@/components/ui/visible-text';
import { saveFile } from '@/components/untrusted/download';
import type { ImportedFiles, Recordings } from '@/lib/hooks/recordings';
import { countOf, formatBytes, formatCount, progressText } from '@/lib/wire/format';
import type { ReadingProgress } from '@/lib/wire/recording-facts';

/** The progress of an import; then how many files were imported, and why others were not. */
export function ImportNote({
  imports: { current, kept, failed, cancelled, cancel },
}: {
  readonly imports: ImportedFiles;
}) {
  const isSent = current !== undefined && current.sent >= current.file.size;
  const progress = isSent ? current.converted : current && { done: current.sent, of: current.file.size };
  return (
    <div className="flex flex-col gap-1 empty:hidden">
      {current && (
        <WorkProgress
          what={`${isSent ? lastStep(current.file) : 'Importing'} ${visibleText(current.file.name)}${positionText(current)}`}
          {...progress}
          figures={progress ? progressText(progress) : formatBytes(current.file.size)}
          onCancel={cancel}
        />
      )}
      {kept > 0 && !current && <p role="status">{formatCount(kept)} imported</p>}
      {cancelled > 0 && !current && <p role="status">{countOf(cancelled, 'file')} not imported: you cancelled</p>}
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

/** Returns a verb for what mcp-inspect does with a file once it has all of it. */
function lastStep({ name }: File): string {
  return /\.har$/i.test(name) ? 'Converting' : 'Saving';
}

/** Recordings that are being exported. `number` counts from 1. */
interface Exporting {
  readonly id: string;
  readonly number: number;
  readonly of: number;
  readonly progress?: ReadingProgress;
  readonly cancel: () => void;
}

/** Saves recordings as files, one after the other. */
export function useExport(read: Recordings['read']): {
  readonly exporting: Exporting | undefined;
  /** Resolves when all are saved or the user cancelled. Rejects with a Failure. */
  readonly exportAll: (ids: readonly string[]) => Promise<void>;
} {
  const [exporting, setExporting] = useState<Exporting>();
  const exportAll = async (ids: readonly string[]) => {
    const stop = new AbortController();
    const { signal } = stop;
    try {
      for (const [index, id] of ids.entries()) {
        const shown = { id, number: index + 1, of: ids.length, cancel: () => stop.abort() };
        setExporting(shown);
        saveFile(await read(id, { signal, onRead: (progress) => setExporting({ ...shown, progress }) }), id);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      setExporting(undefined);
    }
  };
  return { exporting, exportAll };
}

export function ExportProgress({ id, progress, cancel, ...position }: Exporting) {
  return (
    <WorkProgress
      what={`Exporting ${visibleText(id)}${positionText(position)}`}
      {...progress}
      figures={progress && progressText(progress)}
      onCancel={cancel}
    />
  );
}

/** Returns the place of a file among several: ` (2 of 5)`. */
function positionText({ number, of }: { readonly number: number; readonly of: number }): string {
  return of > 1 ? ` (${formatCount(number)} of ${formatCount(of)})` : '';
}
