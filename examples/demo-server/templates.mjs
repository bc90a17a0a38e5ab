// @ts-check
import { entryMarkdown } from './station.mjs';

/** @typedef {import('./station.mjs').Station} Station */
/**
 * @typedef {object} Template
 * @property {string} uriTemplate RFC 6570.
 * @property {string} name
 * @property {string} title
 * @property {string} description
 * @property {string} [mimeType] Only if all of its resources have it.
 * @property {RegExp} pattern Matches the URIs it expands to.
 * @property {{ [name: string]: (station: Station) => string[] }} variables What to suggest for each.
 * @property {(groups: { [name: string]: string | undefined }, station: Station)
 *   => import('./resources.mjs').Body | undefined} read
 */

const PORTS = ['Anstruther', 'Kirkwall', 'Oban', 'Stornoway', 'Ullapool'];

/** What the archive holds, by path. */
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
    description: 'One entry of the log, by its number.',
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
    description: 'Old papers. The path may have slashes in it, which stay as they are.',
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
    description: 'High and low water at a port on a day. Both may be left out.',
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
 * The body of a URI that some template expands to.
 *
 * @param {string} uri
 * @param {Station} station
 */
export function matchTemplate(uri, station) {
  for (const { pattern, read } of TEMPLATES) {
    const match = pattern.exec(uri);
    if (match) return read(decoded(match.groups ?? {}), station);
  }
  return undefined;
}

/** Percent-decodes what stands in paths; a query keeps its own rules. @param {{ [name: string]: string | undefined }} groups */
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

/** Made up, but the same each time. @param {string} port @param {string} date */
function tideTable(port, date) {
  const seed = [...`${port}${date}`].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const tides = [0, 1, 2, 3].map((quarter) => {
    const minutes = (seed % 180) + quarter * 373;
    const at = [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
    return { at, water: quarter % 2 === 0 ? 'high' : 'low', metres: quarter % 2 === 0 ? 4.6 + (seed % 9) / 10 : 0.8 };
  });
  return JSON.stringify({ port, date, tides }, null, 2);
}
