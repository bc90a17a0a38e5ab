import type { Feature } from '../feature';

/** MCP Apps: pages of a server that show the results of its tools. */
export const apps: Feature = {
  name: 'apps',
  lists: [
    {
      name: 'apps',
      note: 'apps reads the page of each app, and runs none.',
      load: () => import('./proxy/list-apps'),
    },
  ],
  serve: () => import('./proxy/app-documents'),
};
