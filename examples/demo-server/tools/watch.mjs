// @ts-check
import { say } from '../content.mjs';

/** @typedef {import('../tools.mjs').Tool} Tool */

/** @type {readonly Tool[]} */
export const WATCH_TOOLS = [
  {
    name: 'change_watch',
    title: 'Change the watch',
    description: 'Day or night. Two tools exist only at night, so the tool list changes and the server says so.',
    inputSchema: {
      type: 'object',
      properties: {
        watch: { type: 'string', enum: ['day', 'night'], description: 'The other one, if left out.' },
      },
    },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    run: ({ watch }, _call, station) => {
      station.setWatch(watch ?? (station.watch === 'day' ? 'night' : 'day'));
      return say(`It is ${station.watch} now.`);
    },
  },
];

/** Listed and callable only during the night watch. @type {readonly Tool[]} */
export const NIGHT_TOOLS = [
  {
    name: 'count_stars',
    title: 'Count the stars',
    description: 'Only at night.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    run: () => say('4,502, and one that moves.'),
  },
  {
    name: 'answer_flashes',
    title: 'Answer a ship',
    description: 'Only at night. Repeats the flashes of a ship.',
    inputSchema: {
      type: 'object',
      properties: { flashes: { type: 'integer', minimum: 1, maximum: 12, default: 3 } },
    },
    run: ({ flashes = 3 }) => say('✦ '.repeat(flashes).trim()),
  },
];
