// @ts-check
import { say, structured } from '../content.mjs';
import { KEEPERS, WEATHER } from '../station.mjs';

/** Tools around the log and the lamp: the plain kinds of argument. @type {readonly import('../tools.mjs').Tool[]} */
export const LOGBOOK_TOOLS = [
  {
    name: 'write_entry',
    title: 'Write a log entry',
    description:
      'Adds an entry to the log and tells everybody who watches it.\n\nThe text may be **Markdown** and have many lines.',
    inputSchema: {
      type: 'object',
      properties: {
        text: {
          type: 'string',
          description: 'What happened. Several lines are welcome.',
          minLength: 1,
          maxLength: 4000,
        },
        keeper: { type: 'string', description: 'Who writes.', enum: KEEPERS },
        weather: { type: 'string', enum: WEATHER, default: 'clear' },
        written_at: { type: 'string', format: 'date-time', description: 'Now, if left out.' },
      },
      required: ['text', 'keeper'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    run: ({ text, keeper, weather = 'clear', written_at }, call, station) => {
      const entry = station.write({ at: written_at ?? new Date().toISOString(), keeper, weather, text });
      call.log('notice', { written: entry.number, keeper });
      return say(`Entry ${entry.number} is in the log.`);
    },
  },
  {
    name: 'erase_entry',
    title: 'Tear out a log entry',
    description: 'Removes an entry for good. Keepers have been dismissed for less.',
    inputSchema: {
      type: 'object',
      properties: {
        number: { type: 'integer', minimum: 1, description: 'The number of the entry.' },
        oath: { const: 'I know what I am doing', description: 'Has to be said in these words.' },
      },
      required: ['number', 'oath'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: ({ number }, call, station) => {
      if (!station.erase(number)) return { ...say(`There is no entry ${number}.`), isError: true };
      call.log('warning', { erased: number });
      return say(`Entry ${number} is gone.`);
    },
  },
  {
    name: 'set_lamp',
    title: 'Set the lamp',
    description: 'Changes what is given and leaves the rest. Subscribers of `light://lamp` hear of it.',
    inputSchema: {
      type: 'object',
      properties: {
        lit: { type: 'boolean', default: true, description: 'Whether it burns.' },
        brightness: { type: 'number', minimum: 0, maximum: 100, default: 80, description: 'Per cent; 62.5 is fine.' },
        character: {
          description: 'The rhythm by which ships know us.',
          default: 'Fl(3) W 20s',
          oneOf: [
            { const: 'F W', title: 'Fixed white' },
            { const: 'Fl(3) W 20s', title: 'Three white flashes every 20 seconds' },
            { const: 'Oc R 10s', title: 'Occulting red every 10 seconds' },
          ],
        },
      },
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: { lit: { type: 'boolean' }, character: { type: 'string' }, brightness: { type: 'number' } },
      required: ['lit', 'character', 'brightness'],
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: (args, _call, station) => {
      station.setLamp(args);
      return structured({ ...station.lamp });
    },
  },
  {
    name: 'look_out',
    description: 'Takes no arguments. Says what can be seen from the gallery.',
    inputSchema: { type: 'object', additionalProperties: false },
    annotations: { title: 'Look out of the window', readOnlyHint: true, openWorldHint: false },
    run: (_args, _call, station) =>
      say(
        `${station.lamp.lit ? 'Our beam' : 'Darkness'}, the sea, and ${station.entries.at(-1)?.weather ?? 'no weather at all'}.`,
      ),
  },
];
