// @ts-check
import { hornWav, nightPicture } from './content.mjs';
import { inVersion, RpcError, resourceNotFoundCode } from './protocol.mjs';
import { entryMarkdown } from './station.mjs';

/** @typedef {import('./protocol.mjs').JsonObject} JsonObject */
/** @typedef {import('./station.mjs').Station} Station */
/** @typedef {{ mimeType: string, body: string | Buffer }} Body */
/**
 * @typedef {object} FixedResource
 * @property {string} uri
 * @property {string} name
 * @property {string} title
 * @property {string} description
 * @property {string} mimeType
 * @property {object} [annotations]
 * @property {(station: Station) => string | Buffer} read
 */

const NOTICE = 'Visitors: mind the third step.\nThe lamp is hot. The keeper is not, usually.\n';

// Harmless when shown as text. A client that renders it must not run its scripts.
const NOTICEBOARD = `<!doctype html>
<title>Noticeboard</title>
<h1>Noticeboard</h1>
<p>Lost: one glove, left. <img src="x" onerror="document.title = 'This must not run'"></p>
<script>document.title = 'This must not run';</script>
`;

/** @type {readonly FixedResource[]} */
const FIXED = [
  {
    uri: 'light://logbook',
    name: 'logbook.md',
    title: 'Log book',
    description: 'Markdown. Changes with every entry. Subscribe to be notified.',
    mimeType: 'text/markdown',
    annotations: { audience: ['user', 'assistant'], priority: 1 },
    read: ({ entries }) => `# Log of Skerry Light\n\n${entries.map(entryMarkdown).join('\n')}`,
  },
  {
    uri: 'light://lamp',
    name: 'lamp.json',
    title: 'The lamp',
    description: 'JSON. Changes with `set_lamp`.',
    mimeType: 'application/json',
    read: ({ lamp }) => JSON.stringify(lamp, null, 2),
  },
  {
    uri: 'light://station',
    name: 'station.json',
    title: 'The station',
    description: 'JSON with nested objects.',
    mimeType: 'application/json',
    read: ({ watch }) =>
      JSON.stringify({
        name: 'Skerry Light',
        position: { lat: 58.4213, lon: -6.1907 },
        tower: { height_m: 36, steps: 142, built: 1887, stripes: ['white', 'red'] },
        watch,
      }),
  },
  {
    uri: 'light://notice',
    name: 'notice.txt',
    title: 'Notice at the door',
    description: 'Plain text.',
    mimeType: 'text/plain',
    read: () => NOTICE,
  },
  {
    uri: 'light://noticeboard.html',
    name: 'noticeboard.html',
    title: 'Noticeboard',
    description: 'HTML with a script that must not run.',
    mimeType: 'text/html',
    read: () => NOTICEBOARD,
  },
  {
    uri: 'light://chart.png',
    name: 'chart.png',
    title: 'Picture of the light',
    description: 'A PNG. Dark when the lamp is out.',
    mimeType: 'image/png',
    read: ({ lamp }) => nightPicture({ width: 320, height: 200, lit: lamp.lit, bearing: -12 }),
  },
  {
    uri: 'light://horn.wav',
    name: 'horn.wav',
    title: 'The foghorn',
    description: 'A WAV file of two seconds.',
    mimeType: 'audio/wav',
    read: () => hornWav(2),
  },
  {
    uri: 'light://key.bin',
    name: 'key.bin',
    title: 'Key of the oil store',
    description: 'Binary data: all 256 byte values.',
    mimeType: 'application/octet-stream',
    read: () => Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  },
];

/** @param {Station} station @param {string} version */
export function listResources(station, version) {
  const fixed = FIXED.map(({ read, ...resource }) => ({ ...resource, size: Buffer.byteLength(read(station)) }));
  const entries = station.entries.map(({ number, at, keeper }) => ({
    uri: `light://log/${number}`,
    name: `entry-${number}.md`,
    title: `Entry ${number}`,
    description: `${keeper}, ${at.slice(0, 10)}`,
    mimeType: 'text/markdown',
    annotations: { lastModified: at },
  }));
  return [...fixed, ...entries].map((resource) => ({
    ...inVersion('resource', resource, version),
    ...(resource.annotations ? { annotations: inVersion('annotations', resource.annotations, version) } : {}),
  }));
}

/** @param {string} version */
export function listTemplates(version) {
  return TEMPLATES.map(({ pattern, variables, read, ...template }) => inVersion('resource', template, version));
}

/**
 * @param {string} uri
 * @param {Station} station
 * @param {string} version
 * @returns {JsonObject}
 */
export function readResource(uri, station, version) {
  const fixed = FIXED.find((resource) => resource.uri === uri);
  const found = fixed ? { mimeType: fixed.mimeType, body: fixed.read(station) } : matchTemplate(uri, station);
  if (found === undefined) throw new RpcError(resourceNotFoundCode(version), 'Resource not found', { uri });
  const { mimeType, body } = found;
  const content = typeof body === 'string' ? { text: body } : { blob: body.toString('base64') };
  return { contents: [{ uri, mimeType, ...content }] };
}

/**
 * @typedef {object} Template
 * @property {string} uriTemplate RFC 6570.
 * @property {string} name
 * @property {string} title
 * @property {string} description
 * @property {string} [mimeType] Only if all of its resources have the same one.
 * @property {RegExp} pattern Matches the URIs it expands to.
 * @property {{ [name: string]: (station: Station) => string[] }} variables Returns completions for each variable.
 * @property {(groups: { [name: string]: string | undefined }, station: Station)
 *   => Body | undefined} read
 */

const PORTS = ['Anstruther', 'Kirkwall', 'Oban', 'Stornoway', 'Ullapool'];

/** Documents in the archive, by path. */
const ARCHIVE = new Map([
  ['1911/storm.md', '# The storm of 1911\n\nIt took the landing, the crane and the goat. The goat came back.\n'],
  ['1911/letters/board.txt', 'Sirs, the goat has returned. We request hay.\n'],
  [
    '1934/electric-light.md',
    '# Electric light\n\n| year | lamp |\n| --- | --- |\n| 1887 | oil |\n| 1934 | electric |\n',
  ],
  [
    'plans/tower.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 80"><path fill="#b92c28" d="M14 20h12l6 58H8z"/><circle cx="20" cy="14" r="6" fill="#ffec9f"/></svg>\n',
  ],
]);

/** By file name extension. */
const MIME_TYPES = new Map([
  ['md', 'text/markdown'],
  ['txt', 'text/plain'],
  ['svg', 'image/svg+xml'],
]);

/** @type {readonly Template[]} */
export const TEMPLATES = [
  {
    uriTemplate: 'light://log/{number}',
    name: 'entry',
    title: 'Log entry',
    description: 'One entry of the log, by number.',
    mimeType: 'text/markdown',
    pattern: /^light:\/\/log\/(?<number>\d+)$/,
    variables: { number: ({ entries }) => entries.map(({ number }) => String(number)) },
    read: ({ number }, { entries }) => {
      const entry = entries.find((one) => one.number === Number(number));
      return entry && { mimeType: 'text/markdown', body: entryMarkdown(entry) };
    },
  },
  {
    uriTemplate: 'light://archive/{+path}',
    name: 'archive',
    title: 'The archive',
    description: 'Old papers. Slashes in the path are kept.',
    pattern: /^light:\/\/archive\/(?<path>.+)$/,
    variables: { path: () => [...ARCHIVE.keys()] },
    read: ({ path = '' }) => {
      const body = ARCHIVE.get(path);
      const mimeType = MIME_TYPES.get(path.slice(path.lastIndexOf('.') + 1)) ?? 'text/plain';
      return body === undefined ? undefined : { mimeType, body };
    },
  },
  {
    uriTemplate: 'light://tides{?port,date}',
    name: 'tides',
    title: 'Tide table',
    description: 'High and low water at a port on a day. Both are optional.',
    mimeType: 'application/json',
    pattern: /^light:\/\/tides(?:\?(?<query>.*))?$/,
    variables: { port: () => PORTS, date: () => ['2026-03-01', '2026-03-15', '2026-04-01'] },
    read: ({ query = '' }) => {
      const given = new URLSearchParams(query);
      return {
        mimeType: 'application/json',
        body: tideTable(given.get('port') ?? 'Skerry', given.get('date') ?? '2026-03-01'),
      };
    },
  },
];

/**
 * Returns the body of a URI if a template expands to it.
 *
 * @param {string} uri
 * @param {Station} station
 */
function matchTemplate(uri, station) {
  for (const { pattern, read } of TEMPLATES) {
    const match = pattern.exec(uri);
    if (match) return read(decoded(match.groups ?? {}), station);
  }
  return undefined;
}

/**
 * Percent-decodes path variables. URLSearchParams decodes the query later.
 *
 * @param {{ [name: string]: string | undefined }} groups
 */
function decoded(groups) {
  return Object.fromEntries(
    Object.entries(groups).map(([name, value]) => [
      name,
      name === 'query' || value === undefined ? value : decode(value),
    ]),
  );
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns invented data that is always the same for a port and date. @param {string} port @param {string} date */
function tideTable(port, date) {
  const seed = [...`${port}${date}`].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const tides = [0, 1, 2, 3].map((quarter) => {
    const minutes = (seed % 180) + quarter * 373;
    const at = [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
    return { at, water: quarter % 2 === 0 ? 'high' : 'low', metres: quarter % 2 === 0 ? 4.6 + (seed % 9) / 10 : 0.8 };
  });
  return JSON.stringify({ port, date, tides }, null, 2);
}
