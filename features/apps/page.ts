import type { PageFeature } from '../page-feature';
import { firstApp } from './lib/first-app';

/** The first app, in Browse. */
export const apps: PageFeature = {
  browse: [
    {
      id: 'apps',
      title: 'Apps',
      icon: 'apps',
      key: 'a',
      fits: (state) => firstApp(state) !== undefined,
      firstTool: firstApp,
    },
  ],
};
