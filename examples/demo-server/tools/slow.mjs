// @ts-check
import { LOG_LEVELS } from '../call.mjs';
import { say } from '../content.mjs';

/** Tools that take their time, and say so while they do. @type {readonly import('../tools.mjs').Tool[]} */
export const SLOW_TOOLS = [
  {
    name: 'climb_tower',
    title: 'Climb the tower',
    description: 'Reports progress at every step. Stops when cancelled.',
    inputSchema: {
      type: 'object',
      properties: {
        steps: { type: 'integer', minimum: 1, maximum: 1000, default: 10 },
        delay_ms: { type: 'integer', minimum: 0, maximum: 60_000, default: 300, description: 'Between two steps.' },
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
      'Sends one log message a level, mildest first. Those below the level you set stay unsent; in the modern era a request that names no level gets none.',
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
    description: 'Never answers, for trying timeouts. Cancel it when you have waited long enough.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    run: (_args, call) => call.cancelled(),
  },
];
