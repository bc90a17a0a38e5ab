import { tabPanelId } from '@/components/ui/tabs';
import type { WorkbenchState } from '../use-workbench';
import { RecordingsList } from './recordings-list';

/** The page of recordings, in place of a connection's panel and log. */
export function RecordingsPage({ workbench }: { readonly workbench: WorkbenchState }) {
  const { selected, showAndFocus, compareWith, compareTwo, pickRecordings } = workbench;
  return (
    <section
      aria-labelledby="recordings-title"
      id={tabPanelId('panel')}
      tabIndex={-1}
      className="flex min-h-0 min-w-0 flex-1 flex-col gap-2 p-4 outline-none narrow:p-3"
    >
      <h2 id="recordings-title" className="text-title font-medium">
        Recordings
      </h2>
      <RecordingsList
        shown={selected && (selected.recording?.file ?? selected.recordedIn)}
        onOpened={showAndFocus}
        onCompare={selected && compareWith}
        onCompareTwo={compareTwo}
        onPick={() => pickRecordings()}
      />
    </section>
  );
}
