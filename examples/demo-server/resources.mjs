// @ts-check
import { inVersion, resourceNotFoundCode } from './eras.mjs';
import { RpcError } from './errors.mjs';
import { hornWav } from './horn.mjs';
import { nightPicture } from './pictures.mjs';
import { entryMarkdown } from './station.mjs';
import { matchTemplate, TEMPLATES } from './templates.mjs';

/** @typedef {import('./eras.mjs').JsonObject} JsonObject */
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

// Shown as it stands this is text. Whoever renders it must not run it.
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
    description: 'Markdown. Changes with every entry; subscribe to hear of it.',
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
    description: 'JSON with some depth to it.',
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
    description: 'HTML with a script that wants to run and must not.',
    mimeType: 'text/html',
    read: () => NOTICEBOARD,
  },
  {
    uri: 'light://chart.png',
    name: 'chart.png',
    title: 'Picture of the light',
    description: 'A PNG; dark when the lamp is out.',
    mimeType: 'image/png',
    read: ({ lamp }) => nightPicture({ width: 320, height: 200, lit: lamp.lit, bearing: -12 }),
  },
  {
    uri: 'light://horn.wav',
    name: 'horn.wav',
    title: 'The foghorn',
    description: 'A WAV of two seconds.',
    mimeType: 'audio/wav',
    read: () => hornWav(2),
  },
  {
    uri: 'light://key.bin',
    name: 'key.bin',
    title: 'Key of the oil store',
    description: 'Bytes that mean nothing: all 256 of them.',
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
