import { lazy, Suspense } from 'react';
import { Segmented } from '@/components/ui/button';
import { Spinner } from '@/components/ui/notices';
import { tabPanelId } from '@/components/ui/tabs';
import { useClient } from '@/lib/hooks/client';
import { useEnvironment } from '@/lib/hooks/connections';
import { useLocation } from '@/lib/hooks/location';
import type { WorkbenchState } from '../use-workbench';
import { RecordingsList } from './recordings-list';

const ReportView = lazy(() => import('./report-view').then((file) => ({ default: file.ReportView })));
const BucketList = lazy(() => import('./bucket-list').then((file) => ({ default: file.BucketList })));

/** The page of recordings, in place of a connection's panel and log: those of this machine, or of a bucket. */
export function RecordingsPage({ workbench }: { readonly workbench: WorkbenchState }) {
  const { selected, showAndFocus, compareWith, compareTwo, pickRecordings } = workbench;
  const { environment } = useEnvironment();
  const { source, navigate } = useLocation();
  const hasBucket = environment?.bucket === true;
  const inBucket = hasBucket && source === 'bucket';
  // A page on a static host has no process that makes reports.
  const hasReport = useClient().api !== undefined;
  const names: readonly SourceName[] = [
    'This machine',
    ...(hasBucket ? (['Bucket'] as const) : []),
    ...(hasReport ? (['Report'] as const) : []),
  ];
  return (
    <section
      aria-labelledby="recordings-title"
      id={tabPanelId('panel')}
      tabIndex={-1}
      className="flex min-h-0 min-w-0 flex-1 flex-col gap-2 p-4 outline-none narrow:p-3"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 id="recordings-title" className="text-title font-medium">
          Recordings
        </h2>
        {names.length > 1 && (
          <Segmented
            label="Where to look"
            names={names}
            chosen={names.find((name) => SOURCES[name] === source) ?? 'This machine'}
            onChoose={(name) => navigate({ source: SOURCES[name], q: undefined })}
          />
        )}
      </div>
      {hasReport && source === 'report' ? (
        <Suspense fallback={<Spinner label="Loading the report" />}>
          <ReportView workbench={workbench} hasBucket={hasBucket} />
        </Suspense>
      ) : inBucket ? (
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
  );
}

type SourceName = 'This machine' | 'Bucket' | 'Report';

/** The parts of the page, and how the URL names them. */
const SOURCES: Readonly<Record<SourceName, string | undefined>> = {
  'This machine': undefined,
  Bucket: 'bucket',
  Report: 'report',
};
