// @ts-check
import { dataUri, towerIcon } from './pictures.mjs';

/** Who we are, in short: every modern result says it. */
export const SERVER_NAME = { name: 'skerry-light', title: 'Skerry Light', version: '1.0.0' };

/** Who we are, in full; older protocol versions know less of it. */
export const SERVER_INFO = {
  ...SERVER_NAME,
  description: 'A lighthouse on a rock, with one of everything an MCP server can have.',
  websiteUrl: 'https://example.com/skerry-light',
  icons: [{ src: dataUri('image/png', towerIcon()), mimeType: 'image/png', sizes: ['32x32'] }],
};

export const INSTRUCTIONS = `You are talking to Skerry Light, a lighthouse that keeps a log.

- Read \`light://logbook\` first: it says what happened lately.
- \`write_entry\` adds to the log, \`set_lamp\` changes the light; both tell their subscribers.
- \`change_watch\` swaps the tool list: some tools exist only at night.
- Tools whose names sound like trouble are trouble, on purpose.`;

/** What the server can do. `completions` is younger than the oldest versions. */
export const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: {},
  completions: {},
  logging: {},
};
