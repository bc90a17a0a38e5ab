import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import type { PageFeature } from '../page-feature';

/** The Chat panel. */
export const chat: PageFeature = {
  panels: [
    {
      id: 'chat',
      place: 'own',
      title: 'Chat',
      icon: 'chat',
      key: 'c',
      keepsItem: true,
      channel: 'model',
      Component: lazyWhenIdle(() => import('./components/chat-panel').then((file) => file.ChatPanel)),
    },
  ],
};
