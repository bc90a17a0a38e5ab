// @ts-check
import { LOG_LEVELS } from './call.mjs';
import { dataUri, towerIcon } from './content.mjs';
import { complete, getPrompt, listPrompts } from './prompts.mjs';
import {
  inVersion,
  invalidParams,
  invalidRequest,
  LEGACY_VERSIONS,
  META,
  MODERN_VERSION,
  NEWEST_LEGACY_VERSION,
} from './protocol.mjs';
import { listResources, listTemplates, readResource } from './resources.mjs';
import { callTool, listTools } from './tools.mjs';

/** Short form of the server's identity, part of every modern result. */
export const SERVER_NAME = { name: 'skerry-light', title: 'Skerry Light', version: '1.0.0' };

/** Full identity of the server. Older protocol versions leave members out. */
const SERVER_INFO = {
  ...SERVER_NAME,
  description: 'A lighthouse on a rock, with one of everything that an MCP server can have.',
  websiteUrl: 'https://example.com/skerry-light',
  icons: [{ src: dataUri('image/png', towerIcon()), mimeType: 'image/png', sizes: ['32x32'] }],
};

const INSTRUCTIONS = `You are talking to Skerry Light, a lighthouse that keeps a log.

- Read \`light://logbook\` first. It says what happened lately.
- \`write_entry\` adds to the log and \`set_lamp\` changes the light. Both notify subscribers.
- \`change_watch\` changes the tool list. Some tools exist only at night.
- Tools with alarming names fail on purpose.`;

/** The server's capabilities. The oldest versions do not have `completions`. */
const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: {},
  completions: {},
  logging: {},
};

/**
 * Returns one page of a list. A cursor is opaque to the client; ours encodes the offset of the next page.
 *
 * @param {string} key Name of the result member for the items.
 * @param {readonly object[]} items
 * @param {unknown} cursor
 * @param {number} size
 * @returns {import('./protocol.mjs').JsonObject}
 */
function page(key, items, cursor, size) {
  const start = cursor === undefined ? 0 : offsetOf(cursor);
  const end = start + size;
  return { [key]: items.slice(start, end), ...(end < items.length ? { nextCursor: cursorOf(end) } : {}) };
}

/** @param {number} offset */
function cursorOf(offset) {
  return Buffer.from(`from ${offset}`).toString('base64url');
}

/** @param {unknown} cursor */
function offsetOf(cursor) {
  const match = /^from (\d+)$/.exec(Buffer.from(String(cursor), 'base64url').toString());
  if (typeof cursor !== 'string' || match === null) throw invalidParams('Invalid cursor');
  return Number(match[1]);
}

/** @typedef {import('./protocol.mjs').JsonObject} JsonObject */
/**
 * @typedef {object} Method
 * @property {readonly import('./protocol.mjs').Era[]} eras
 * @property {boolean} [cached] Its result carries a caching hint in the modern era.
 * @property {(params: JsonObject, call: import('./call.mjs').Call, connection: import('./connection.mjs').Connection)
 *   => JsonObject | Promise<JsonObject>} run
 */

const LEGACY = /** @type {const} */ (['legacy']);
const MODERN = /** @type {const} */ (['modern']);
const BOTH = /** @type {const} */ (['legacy', 'modern']);

/** Small enough that the list has a second page. */
const RESOURCES_A_PAGE = 8;

/** Every request method. @type {Map<string, Method>} */
export const METHODS = new Map(
  Object.entries({
    initialize: { eras: LEGACY, run: initialize },
    ping: { eras: LEGACY, run: () => ({}) },
    'server/discover': { eras: MODERN, cached: true, run: discover },

    'tools/list': {
      eras: BOTH,
      cached: true,
      run: (_params, { version }, { station }) => ({ tools: listTools(station, version) }),
    },
    'tools/call': { eras: BOTH, run: (params, call, { station }) => callTool(params, call, station) },

    'resources/list': {
      eras: BOTH,
      cached: true,
      run: (params, { version }, { station }) =>
        page('resources', listResources(station, version), params.cursor, RESOURCES_A_PAGE),
    },
    'resources/templates/list': {
      eras: BOTH,
      cached: true,
      run: (_params, { version }) => ({ resourceTemplates: listTemplates(version) }),
    },
    'resources/read': {
      eras: BOTH,
      cached: true,
      run: (params, { version }, { station }) => readResource(textParam(params, 'uri'), station, version),
    },
    'resources/subscribe': { eras: LEGACY, run: subscribe },
    'resources/unsubscribe': { eras: LEGACY, run: unsubscribe },
    'subscriptions/listen': {
      eras: MODERN,
      run: (params, call, { subscriptions }) => subscriptions.listen(params, call),
    },

    'prompts/list': { eras: BOTH, cached: true, run: (_params, { version }) => ({ prompts: listPrompts(version) }) },
    'prompts/get': { eras: BOTH, run: (params, { version }, { station }) => getPrompt(params, station, version) },
    'completion/complete': { eras: BOTH, run: (params, _call, { station }) => complete(params, station) },
    'logging/setLevel': { eras: LEGACY, run: setLevel },
  }),
);

/** @type {Method['run']} */
function initialize(params, _call, connection) {
  if (connection.agreedVersion !== undefined) throw invalidRequest('Already initialized');
  const asked = textParam(params, 'protocolVersion');
  const version = LEGACY_VERSIONS.includes(asked) ? asked : NEWEST_LEGACY_VERSION;
  connection.agreedVersion = version;
  return {
    protocolVersion: version,
    capabilities: inVersion('capabilities', CAPABILITIES, version),
    serverInfo: inVersion('implementation', SERVER_INFO, version),
    instructions: INSTRUCTIONS,
  };
}

function discover() {
  return {
    supportedVersions: [MODERN_VERSION],
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
    _meta: { [META.serverInfo]: SERVER_INFO },
  };
}

/** @type {Method['run']} */
function setLevel(params, _call, connection) {
  const level = textParam(params, 'level');
  if (!LOG_LEVELS.includes(level)) throw invalidParams(`Unknown level: ${level}`, { levels: LOG_LEVELS });
  connection.logLevel = level;
  return {};
}

/** @type {Method['run']} */
function subscribe(params, _call, { subscriptions }) {
  subscriptions.subscribe(textParam(params, 'uri'));
  return {};
}

/** @type {Method['run']} */
function unsubscribe(params, _call, { subscriptions }) {
  subscriptions.unsubscribe(textParam(params, 'uri'));
  return {};
}

/** @param {JsonObject} params @param {string} name */
function textParam(params, name) {
  const value = params[name];
  if (typeof value !== 'string') throw invalidParams(`${name} must be a string`);
  return value;
}
