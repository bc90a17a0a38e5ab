import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import type { ResultView } from '../page-feature';
import { toolApp } from './lib/app-meta';

/** The app that shows the results of a tool. */
export const app: ResultView = {
  id: 'apps',
  title: 'App',
  icon: 'apps',
  mark: 'Has an app',
  marks: (tool) => toolApp(tool) !== undefined,
  fits: (tool) => toolApp(tool)?.uri !== undefined,
  Component: lazyWhenIdle(() => import('./components/app-detail').then((file) => file.AppDetail)),
};
