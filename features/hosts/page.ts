import { lazy } from 'react';
import type { PageFeature } from '../page-feature';

/** The Compatibility panel: which hosts have trouble with the server. Facts about hosts are loaded when it is shown. */
export const hosts: PageFeature = {
  panels: [
    {
      id: 'hosts',
      place: 'server',
      title: 'Compatibility',
      also: 'hosts claude.ai Code Desktop API directory ChatGPT VS Cursor Codex Gemini CLI Windsurf Zed Goose Copilot Studio OpenAI Agents SDK',
      icon: 'tasks',
      key: 'y',
      isForFailures: true,
      Component: lazy(() => import('./components/hosts-panel').then((file) => ({ default: file.HostsPanel }))),
    },
  ],
};
