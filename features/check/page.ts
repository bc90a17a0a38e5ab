import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import type { PageFeature } from '../page-feature';
import { useHasPins } from './components/use-pins';

/** The Pins panel. */
export const check: PageFeature = {
  panels: [
    {
      id: 'pins',
      place: 'runs',
      title: 'Pins',
      icon: 'pin',
      key: 'n',
      keepsItem: true,
      useIsWanted: useHasPins,
      afterSave: 'run the pins',
      Badge: lazyWhenIdle(() => import('./components/pins-badge').then((file) => file.PinsBadge)),
      Component: lazyWhenIdle(() => import('./components/pins-panel').then((file) => file.PinsPanel)),
    },
  ],
};
