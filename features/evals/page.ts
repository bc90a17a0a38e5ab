import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import type { PageFeature } from '../page-feature';
import { loggedCase } from './lib/logged-case';

/** Evals on the page: a tab of Chat, and cases made from a chat or from a call in the log. */
export const evals: PageFeature = {
  pages: [
    {
      id: 'evals',
      title: 'Evals',
      key: 'e',
      tabOf: 'chat',
      Component: lazyWhenIdle(() => import('./components/evals-page').then((file) => file.EvalsPage)),
    },
  ],
  callSnippets: ({ server, tool, args }) => [{ label: 'Eval case (YAML)', text: () => loggedCase(server, tool, args) }],
};
