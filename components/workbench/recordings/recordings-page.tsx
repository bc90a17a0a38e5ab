import { lazy, Suspense } from 'react';
import { Spinner } from '@/components/ui/notices';
import { tabPanelId } from '@/components/ui/tabs';
import { useClient } from '@/lib/hooks/client';
import { useEnvironment } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import type { WorkbenchState } from '../use-workbench';
import { ViewHead } from '../view-head';
import { RecordingsList } from './recordings-list';

const ReportView = lazy(() =>
  import('@/features/team/components/report-view').then((file) => ({ default: file.ReportView })),
);
const BucketList = lazy(() =>
  import('@/features/team/components/bucket-list').then((file) => ({ default: file.BucketList })),
);

/** The page of recordings, in place of a connection's panel and log: those of this machine, or of a bucket. */
export function RecordingsPage({ workbench }: { readonly workbench: WorkbenchState }) {
  const { selected, showAndFocus, compareWith, compareTwo, pickRecordings } = workbench;
  const { environment } = useEnvironment();
  const { source, navigate } = useLocation();
  const hasBucket = environment?.bucket === true;
  // A page on a static host has no process that makes reports.
  const hasReport = useClient().api !== undefined;
  const tabs = TABS.filter(({ id }) => (id !== 'bucket' || hasBucket) && (id !== 'report' || hasReport));
  const shown = tabs.find(({ id }) => id === source)?.id ?? 'recordings';
  return (
    <>
      <ViewHead
        title="Recordings"
        {...(tabs.length > 1 && { tabs })}
        selected={shown}
        onSelect={(id) => navigate({ source: id === 'recordings' ? undefined : id, q: undefined })}
      />
      <section
        aria-label="Recordings"
        id={tabPanelId('panel')}
        tabIndex={-1}
        className="flex min-h-0 min-w-0 flex-1 flex-col gap-2 p-4 outline-none narrow:p-3"
      >
        {tabs.length > 1 && <h2 className="sr-only">Recordings</h2>}
        {shown === 'report' ? (
          <Suspense fallback={<Spinner label="Loading the report" />}>
            <ReportView workbench={workbench} hasBucket={hasBucket} />
          </Suspense>
        ) : shown === 'bucket' ? (
          <Suspense fallback={<Spinner label="Loading recordings" />}>
            <BucketList workbench={workbench} />
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

/** The parts of the page. All but the first are named in the URL. */
const TABS = [
  { id: 'recordings', title: 'Recordings' },
  { id: 'bucket', title: 'Bucket' },
  { id: 'report', title: 'Report' },
] as const;
