import { Suspense } from 'react';
import { Spinner } from '@/components/ui/notices';
import { tabPanelId } from '@/components/ui/tabs';
import { RECORDINGS_TABS } from '@/features/recordings-tabs';
import { useEnvironment } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import type { WorkbenchState } from '../use-workbench';
import { ViewHead } from '../view-head';
import { RecordingsList } from './recordings-list';

/** The page of recordings, in place of a connection's panel and log: those of this machine, or a tab of a feature. */
export function RecordingsPage({ workbench }: { readonly workbench: WorkbenchState }) {
  const { selected, showAndFocus, compareWith, compareTwo, pickRecordings } = workbench;
  const { environment, loading } = useEnvironment();
  const { source, navigate } = useLocation();
  const added = RECORDINGS_TABS.filter(({ id }) => environment?.tabs?.includes(id));
  const tab = added.find(({ id }) => id === source);
  const tabs = [{ id: OWN, title: 'Recordings' }, ...added];
  const shown = tab?.id ?? OWN;
  return (
    <>
      <ViewHead
        title="Recordings"
        {...(tabs.length > 1 && { tabs })}
        selected={shown}
        onSelect={(id) => navigate({ source: id === OWN ? undefined : id, q: undefined })}
      />
      <section
        aria-label="Recordings"
        id={tabPanelId('panel')}
        tabIndex={-1}
        className="flex min-h-0 min-w-0 flex-1 flex-col gap-2 p-3 outline-none"
      >
        {tabs.length > 1 && <h2 className="sr-only">Recordings</h2>}
        {loading && source !== undefined ? (
          LOADING
        ) : tab ? (
          <Suspense fallback={LOADING}>
            <tab.Component onOpened={showAndFocus} onCompareTwo={compareTwo} />
          </Suspense>
        ) : (
          <RecordingsList
            shown={selected && (selected.recording?.file ?? selected.recordedIn)}
            onOpened={showAndFocus}
            onCompare={selected && compareWith}
            onCompareTwo={compareTwo}
            onPick={() => pickRecordings()}
          />
        )}
      </section>
    </>
  );
}

const LOADING = <Spinner label="Loading recordings" />;
/** The tab of the recordings on this machine, which the address does not name. */
const OWN = 'recordings';
