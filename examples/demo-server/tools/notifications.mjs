// @ts-check
import { LOG_LEVELS } from '../call.mjs';
import { say } from '../content.mjs';

/** @typedef {import('../tools.mjs').Tool} Tool */

/** @type {readonly Tool[]} */
export const WATCH_TOOLS = [
  {
    name: 'change_watch',
    title: 'Change the watch',
    description: 'Switches between day and night. Two tools exist only at night, so the tool list changes.',
    inputSchema: {
      type: 'object',
      properties: {
        watch: { type: 'string', enum: ['day', 'night'], description: 'Defaults to the other one.' },
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
    description: 'Counts the stars. Listed only at night.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    run: () => say('4,502, and one that moves.'),
  },
  {
    name: 'answer_flashes',
    title: 'Answer a ship',
    description: 'Repeats the flashes of a ship. Listed only at night.',
    inputSchema: {
      type: 'object',
      properties: { flashes: { type: 'integer', minimum: 1, maximum: 12, default: 3 } },
    },
    run: ({ flashes = 3 }) => say('✦ '.repeat(flashes).trim()),
  },
];

/**
 * Tools that run long enough to report progress, send log messages or be cancelled. @type {readonly
 * import('../tools.mjs').Tool[]}
 */
export const SLOW_TOOLS = [
  {
    name: 'climb_tower',
    title: 'Climb the tower',
    description: 'Reports progress at every step. Stops when cancelled.',
    inputSchema: {
      type: 'object',
      properties: {
        steps: { type: 'integer', minimum: 1, maximum: 1000, default: 10 },
        delay_ms: {
          type: 'integer',
          minimum: 0,
          maximum: 60_000,
          default: 300,
          description: 'Pause between two steps.',
        },
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: async ({ steps = 10, delay_ms = 300 }, call) => {
      for (let step = 1; step <= steps; step++) {
        await call.wait(delay_ms);
        call.progress(step, steps, step === steps ? 'The lantern room.' : `Step ${step} of ${steps}`);
        call.log('debug', { step }, 'stairs');
      }
      return say(`${steps} steps up. The view is worth it.`);
    },
  },
  {
    name: 'call_all_levels',
    title: 'Log at every level',
    description:
      'Sends one log message per level, least severe first. Messages below the requested level are not sent. Since 2026-07-28 only a request that names a level gets any.',
    inputSchema: {
      type: 'object',
      properties: { times: { type: 'integer', minimum: 1, maximum: 1000, default: 1 } },
    },
    annotations: { readOnlyHint: true },
    run: ({ times = 1 }, call) => {
      for (let time = 1; time <= times; time++) {
        for (const level of LOG_LEVELS) call.log(level, { time, message: `This is ${level}.` }, 'drill');
      }
      return say('The drill is over.');
    },
  },
  {
    name: 'wait_for_ship',
    title: 'Wait for a ship',
    description: 'Never responds. Use it to try timeouts and cancelling.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    run: (_args, call) => call.cancelled(),
  },
];
