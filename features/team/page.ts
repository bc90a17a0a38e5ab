import { lazy } from 'react';
import type { PageFeature } from '../page-feature';

/** Tabs of Recordings: those of a bucket, and a report. */
export const team: PageFeature = {
  recordingsTabs: [
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
  ],
  ReadOn: lazy(() => import('./components/read-on').then((file) => ({ default: file.ReadOn }))),
};
