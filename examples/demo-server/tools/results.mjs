// @ts-check
import {
  audio,
  dataUri,
  embedded,
  hornWav,
  image,
  nightPicture,
  say,
  structured,
  text,
  towerIcon,
} from '../content.mjs';

const MOST_BYTES = 5 * 1024 * 1024;
const FILLER = 'All is well at Skerry Light. The lamp turns, the sea comes and goes, and nobody writes.\n';

const PICTURE = { width: 240, height: 160, lit: true, bearing: -12 };

/** One block of each content type. @type {readonly [string, string, () => import('../protocol.mjs').JsonObject][]} */
const POSTCARD = [
  ['text', 'Text', () => text('Greetings from **Skerry Light**.', { audience: ['user', 'assistant'], priority: 1 })],
  [
    'assistant-text',
    'Text for the assistant only',
    () =>
      text('The keeper likes short answers.', {
        audience: ['assistant'],
        priority: 0.2,
        lastModified: '2026-03-09T12:00:00Z',
      }),
  ],
  ['image', 'Image', () => image(nightPicture(PICTURE))],
  ['audio', 'Audio', () => audio(hornWav(1.2))],
  [
    'link',
    'Resource link',
    () => ({
      type: 'resource_link',
      uri: 'light://chart.png',
      name: 'chart.png',
      title: 'Picture of the light',
      mimeType: 'image/png',
    }),
  ],
  [
    'embedded-text',
    'Embedded text resource',
    () => embedded({ uri: 'light://notice', mimeType: 'text/plain', text: 'Visitors: mind the third step.' }),
  ],
  [
    'embedded-blob',
    'Embedded binary resource',
    () =>
      embedded({
        uri: 'light://key.bin',
        mimeType: 'application/octet-stream',
        blob: Buffer.from([0xca, 0xfe, 0, 1, 2, 255]).toString('base64'),
      }),
  ],
];

/** Tools for every kind of result. @type {readonly import('../tools.mjs').Tool[]} */
export const ANSWER_TOOLS = [
  {
    name: 'send_postcard',
    title: 'Send a postcard',
    description: 'Returns every type of content, or only the types you choose.',
    inputSchema: {
      type: 'object',
      properties: {
        include: {
          type: 'array',
          description: 'Defaults to all types.',
          uniqueItems: true,
          items: { anyOf: POSTCARD.map(([kind, title]) => ({ const: kind, title })) },
        },
      },
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    run: ({ include }) => ({
      content: POSTCARD.filter(([kind]) => include === undefined || include.includes(kind)).map(([, , make]) => make()),
    }),
  },
  {
    name: 'take_picture',
    title: 'Take a picture',
    description: 'Returns a PNG of the light at night.',
    inputSchema: {
      type: 'object',
      properties: {
        width: { type: 'integer', minimum: 16, maximum: 1024, default: 320 },
        height: { type: 'integer', minimum: 16, maximum: 1024, default: 200 },
        bearing: {
          type: 'number',
          minimum: -180,
          maximum: 180,
          default: -12,
          description: 'Direction of the beam in degrees.',
        },
      },
    },
    icons: [{ src: dataUri('image/png', towerIcon()), mimeType: 'image/png', sizes: ['32x32'] }],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    run: ({ width = 320, height = 200, bearing = -12 }, _call, station) => ({
      content: [image(nightPicture({ width, height, bearing, lit: station.lamp.lit }))],
    }),
  },
  {
    name: 'sound_horn',
    title: 'Sound the horn',
    description: 'Returns a WAV of the foghorn.',
    inputSchema: {
      type: 'object',
      properties: { seconds: { type: 'number', minimum: 0.1, maximum: 10, default: 2 } },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: ({ seconds = 2 }) => ({ content: [audio(hornWav(seconds))] }),
  },
  {
    name: 'read_instruments',
    title: 'Read the instruments',
    description: 'Returns structured content that matches its output schema, and the same as text.',
    inputSchema: { type: 'object', additionalProperties: false },
    outputSchema: {
      type: 'object',
      properties: {
        barometer_hpa: { type: 'number' },
        wind: {
          type: 'object',
          properties: { from: { type: 'string' }, knots: { type: 'number' } },
          required: ['from', 'knots'],
        },
        warnings: { type: 'array', items: { type: 'string' } },
        fog: { type: 'boolean' },
        last_ship: { type: ['string', 'null'] },
      },
      required: ['barometer_hpa', 'wind', 'warnings', 'fog'],
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    run: () =>
      structured({
        barometer_hpa: 1003.5,
        wind: { from: 'SW', knots: 22 },
        warnings: ['small craft stay home'],
        fog: false,
        last_ship: null,
      }),
  },
  {
    name: 'read_old_barometer',
    title: 'Read the old barometer',
    description: 'Returns structured content that violates its output schema: a string instead of a number.',
    inputSchema: { type: 'object', additionalProperties: false },
    outputSchema: { type: 'object', properties: { hpa: { type: 'number' } }, required: ['hpa'] },
    annotations: { readOnlyHint: true },
    run: () => structured({ hpa: 'stormy' }),
  },
  {
    name: 'copy_archive',
    title: 'Copy the archive',
    description: 'Returns as much text as you ask for in one result, up to 5 MB.',
    inputSchema: {
      type: 'object',
      properties: { bytes: { type: 'integer', minimum: 1, maximum: MOST_BYTES, default: 100_000 } },
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    run: ({ bytes = 100_000 }) => say(FILLER.repeat(Math.ceil(bytes / FILLER.length)).slice(0, bytes)),
  },
];
