import { lazy } from 'react';
import type { RecordingsTab } from '../page-feature';

/** The recordings of a bucket, and a report. */
export const TEAM_TABS: readonly RecordingsTab[] = [
  {
    id: 'bucket',
    title: 'Bucket',
    Component: lazy(() => import('./components/bucket-list').then((file) => ({ default: file.BucketList }))),
  },
  {
    id: 'report',
    title: 'Report',
    Component: lazy(() => import('./components/report-view').then((file) => ({ default: file.ReportView }))),
  },
];
