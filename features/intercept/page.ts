import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import type { PageFeature } from '../page-feature';

/** Held messages and rules, and the line that says that messages are held. */
export const intercept: PageFeature = {
  panels: [
    {
      id: 'intercept',
      place: 'aside',
      title: 'Hold',
      icon: 'hold',
      key: 'h',
      Component: lazyWhenIdle(() => import('./components/intercept-panel').then((file) => file.InterceptPanel)),
    },
  ],
  banner: {
    name: 'The note about held messages',
    Component: lazyWhenIdle(() => import('./components/hold-banner').then((file) => file.HoldBanner)),
  },
};
