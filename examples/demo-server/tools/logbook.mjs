// @ts-check
import { say, structured } from '../content.mjs';
import { KEEPERS, WEATHER } from '../station.mjs';

/** Tools for the log and the lamp, with plain kinds of arguments. @type {readonly import('../tools.mjs').Tool[]} */
export const LOGBOOK_TOOLS = [
  {
    name: 'write_entry',
    title: 'Write a log entry',
    description:
      'Adds an entry to the log and notifies subscribers.\n\nThe text can be **Markdown** with several lines.',
    inputSchema: {
      type: 'object',
      properties: {
        text: {
          type: 'string',
          description: 'What happened. Several lines are welcome.',
          minLength: 1,
          maxLength: 4000,
        },
        keeper: { type: 'string', description: 'The author.', enum: KEEPERS },
        weather: { type: 'string', enum: WEATHER, default: 'clear' },
        written_at: { type: 'string', format: 'date-time', description: 'Defaults to now.' },
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
    description: 'Deletes an entry permanently. Keepers have been dismissed for less.',
    inputSchema: {
      type: 'object',
      properties: {
        number: { type: 'integer', minimum: 1, description: 'The number of the entry.' },
        oath: { const: 'I know what I am doing', description: 'Must be exactly these words.' },
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
    description: 'Changes the given settings and keeps the others. Notifies subscribers of `light://lamp`.',
    inputSchema: {
      type: 'object',
      properties: {
        lit: { type: 'boolean', default: true, description: 'Whether the lamp is lit.' },
        brightness: {
          type: 'number',
          minimum: 0,
          maximum: 100,
          default: 80,
          description: 'Percent. Fractions are fine.',
        },
        character: {
          description: 'The flash pattern that identifies the light.',
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
    description: 'Takes no arguments. Describes the view from the gallery.',
    inputSchema: { type: 'object', additionalProperties: false },
    annotations: { title: 'Look out of the window', readOnlyHint: true, openWorldHint: false },
    run: (_args, _call, station) =>
      say(
        `${station.lamp.lit ? 'Our beam' : 'Darkness'}, the sea, and ${station.entries.at(-1)?.weather ?? 'no weather at all'}.`,
      ),
  },
];
