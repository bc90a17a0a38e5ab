// @ts-check
import { say, structured, text } from '../content.mjs';
import { RawJson, rawAt } from '../json-lines.mjs';

const POSITION = {
  type: 'object',
  properties: {
    lat: { type: 'number', minimum: -90, maximum: 90 },
    lon: { type: 'number', minimum: -180, maximum: 180 },
  },
  required: ['lat', 'lon'],
};

/** Tools with nested and combined arguments. @type {readonly import('../tools.mjs').Tool[]} */
export const PLANNING_TOOLS = [
  {
    name: 'plan_passage',
    title: 'Plan a passage',
    description: 'Nested objects, and arrays of objects, strings and choices.',
    inputSchema: {
      type: 'object',
      properties: {
        vessel: {
          type: 'object',
          properties: {
            name: { type: 'string', minLength: 1 },
            call_sign: { type: 'string', pattern: '^[A-Z0-9]{3,7}$', examples: ['MGSK4'] },
            draught_m: { type: 'number', minimum: 0, default: 2.4 },
            tender: {
              type: 'object',
              properties: { name: { type: 'string' }, seats: { type: 'integer', minimum: 1 } },
            },
          },
          required: ['name'],
        },
        waypoints: {
          type: 'array',
          minItems: 2,
          description: 'At least the start and the destination.',
          items: {
            type: 'object',
            properties: { name: { type: 'string' }, position: POSITION },
            required: ['position'],
          },
        },
        crew: { type: 'array', items: { type: 'string' }, default: [] },
        avoid: {
          type: 'array',
          uniqueItems: true,
          items: { type: 'string', enum: ['rocks', 'ferries', 'wind farms', 'fog'] },
        },
      },
      required: ['vessel', 'waypoints'],
    },
    outputSchema: {
      type: 'object',
      properties: {
        vessel: { type: 'string' },
        legs: {
          type: 'array',
          items: { type: 'object', properties: { miles: { type: 'number' } }, required: ['miles'] },
        },
        total_miles: { type: 'number' },
      },
      required: ['vessel', 'legs', 'total_miles'],
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    run: ({ vessel, waypoints }) => {
      const legs = waypoints.slice(1).map((/** @type {any} */ to, /** @type {number} */ index) => ({
        miles: miles(waypoints[index].position, to.position),
      }));
      const total = legs.reduce(
        (/** @type {number} */ sum, /** @type {{ miles: number }} */ leg) => sum + leg.miles,
        0,
      );
      return structured({ vessel: vessel.name, legs, total_miles: Math.round(total * 10) / 10 });
    },
  },
  {
    name: 'signal_ship',
    title: 'Signal a ship',
    description: 'Sends one of three kinds of signal. `kind` selects it, and each has its own arguments.',
    inputSchema: {
      type: 'object',
      properties: {
        signal: {
          oneOf: [
            {
              title: 'Flags',
              type: 'object',
              properties: {
                kind: { const: 'flags' },
                hoist: { type: 'array', items: { type: 'string', pattern: '^[A-Z0-9]$' }, minItems: 1, maxItems: 4 },
              },
              required: ['kind', 'hoist'],
            },
            {
              title: 'Morse lamp',
              type: 'object',
              properties: {
                kind: { const: 'morse' },
                words: { type: 'string' },
                words_a_minute: { type: 'integer', default: 8 },
              },
              required: ['kind', 'words'],
            },
            {
              title: 'Horn',
              type: 'object',
              properties: { kind: { const: 'horn' }, blasts: { type: 'integer', minimum: 1, maximum: 5 } },
              required: ['kind', 'blasts'],
            },
          ],
          discriminator: { propertyName: 'kind' },
        },
        to: {
          description: 'One ship, several ships, or null for all ships.',
          anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }, { type: 'null' }],
          default: null,
        },
      },
      required: ['signal'],
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    run: ({ signal, to }) => say(`Signalled by ${signal.kind} to ${[to ?? 'all ships'].flat().join(', ')}.`),
  },
  {
    name: 'report_sighting',
    title: 'Report a sighting',
    description: 'Strings with a format, and values that can be null.',
    inputSchema: {
      type: 'object',
      properties: {
        seen_at: { type: 'string', format: 'date-time' },
        day: { type: 'string', format: 'date' },
        picture: { type: 'string', format: 'uri', examples: ['https://example.com/whale.jpg'] },
        reply_to: { type: 'string', format: 'email' },
        sighting: { type: 'string', format: 'uuid' },
        species: { type: ['string', 'null'], description: 'Null if unknown.' },
        length_m: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }], default: null },
        sea_state: {
          description: 'Douglas sea scale: numbers with names.',
          oneOf: [
            { const: 0, title: 'Glassy' },
            { const: 3, title: 'Slight' },
            { const: 6, title: 'Very rough' },
            { const: 9, title: 'Phenomenal' },
          ],
        },
        notes: { type: 'string', maxLength: 2000 },
      },
      required: ['seen_at', 'species'],
    },
    annotations: { readOnlyHint: false, destructiveHint: false },
    run: ({ species, seen_at }) => say(`Noted: ${species ?? 'something'} at ${seen_at}.`),
  },
  {
    name: 'take_stock',
    title: 'Take stock',
    description: 'Two maps: any name to a number, and any label to a text.',
    inputSchema: {
      type: 'object',
      properties: {
        stores: {
          type: 'object',
          description: 'The amount of each item.',
          additionalProperties: { type: 'number', minimum: 0 },
          examples: [{ 'lamp oil': 120.5, tea: 3 }],
        },
        labels: { type: 'object', propertyNames: { pattern: '^[a-z-]+$' }, additionalProperties: { type: 'string' } },
      },
      required: ['stores'],
    },
    annotations: { readOnlyHint: true },
    run: ({ stores }) => say(`${Object.keys(stores).length} kinds of stores counted.`),
  },
  {
    name: 'muster_crew',
    title: 'Muster the crew',
    description: 'A recursive schema: each crew member can command others.',
    inputSchema: {
      type: 'object',
      properties: { head: { $ref: '#/$defs/hand' } },
      required: ['head'],
      $defs: {
        hand: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            rank: { type: 'string', enum: ['principal keeper', 'assistant', 'occasional'], default: 'assistant' },
            commands: { type: 'array', items: { $ref: '#/$defs/hand' } },
          },
          required: ['name'],
        },
      },
    },
    annotations: { readOnlyHint: true, idempotentHint: true },
    run: ({ head }) => say(roll(head, 0)),
  },
];

/** @typedef {{ lat: number, lon: number }} Position */

/** Nautical miles along a great circle, to a tenth. @param {Position} from @param {Position} to */
function miles(from, to) {
  const radians = (/** @type {number} */ degrees) => (degrees * Math.PI) / 180;
  const half = (/** @type {number} */ a, /** @type {number} */ b) => Math.sin(radians(b - a) / 2) ** 2;
  const chord =
    half(from.lat, to.lat) + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * half(from.lon, to.lon);
  return Math.round(((2 * Math.asin(Math.sqrt(chord)) * 180 * 60) / Math.PI) * 10) / 10;
}

/** @param {{ name: string, rank?: string, commands?: any[] }} hand @param {number} depth @returns {string} */
function roll({ name, rank = 'assistant', commands = [] }, depth) {
  return [`${'  '.repeat(depth)}- ${name}, ${rank}`, ...commands.map((hand) => roll(hand, depth + 1))].join('\n');
}

/**
 * Tools that answer from the text of the request, because JSON.parse would change it. @type {readonly
 * import('../tools.mjs').Tool[]}
 */
export const ECHO_TOOLS = [
  {
    name: 'echo',
    title: 'Echo from the cliff',
    description:
      'Returns its arguments character for character: big integers, duplicate keys, spaces and key order are kept.',
    inputSchema: {
      type: 'object',
      properties: { message: { type: 'string' }, anything: { description: 'Any JSON value.' } },
      additionalProperties: true,
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    run: (_args, { rawArguments = '{}' }) => ({ content: [text(rawArguments)] }),
  },
  {
    name: 'count_waves',
    title: 'Count the waves',
    description: 'Takes and returns an integer that a double cannot hold: 9007199254740993 must stay odd.',
    inputSchema: {
      type: 'object',
      properties: { waves: { type: 'integer', minimum: 0, default: new RawJson('9007199254740993') } },
      required: ['waves'],
    },
    outputSchema: { type: 'object', properties: { waves: { type: 'integer' } }, required: ['waves'] },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    run: (_args, { rawArguments = '{}' }) => {
      const waves = rawAt(rawArguments, ['waves']) ?? '0';
      return { content: [text(`${waves} waves`)], structuredContent: { waves: new RawJson(waves) } };
    },
  },
];
