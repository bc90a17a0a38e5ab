import { lazy } from 'react';
import type { PageFeature } from '../page-feature';

/** Reads on in recordings of a bucket. */
export const team: PageFeature = {
  ReadOn: lazy(() => import('./components/read-on').then((file) => ({ default: file.ReadOn }))),
};
