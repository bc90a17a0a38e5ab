// @ts-check
import { LOG_LEVELS } from './call.mjs';
import { complete } from './completions.mjs';
import { inVersion, LEGACY_VERSIONS, META, MODERN_VERSION, NEWEST_LEGACY_VERSION } from './eras.mjs';
import { invalidParams, invalidRequest } from './errors.mjs';
import { page } from './paging.mjs';
import { getPrompt, listPrompts } from './prompts.mjs';
import { listResources, listTemplates, readResource } from './resources.mjs';
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from './server-info.mjs';
import { callTool, listTools } from './tools.mjs';

/** @typedef {import('./eras.mjs').JsonObject} JsonObject */
/**
 * @typedef {object} Method
 * @property {readonly import('./eras.mjs').Era[]} eras
 * @property {boolean} [cached] Its result carries a caching hint in the modern era.
 * @property {(params: JsonObject, call: import('./call.mjs').Call, connection: import('./connection.mjs').Connection)
 *   => JsonObject | Promise<JsonObject>} run
 */

const LEGACY = /** @type {const} */ (['legacy']);
const MODERN = /** @type {const} */ (['modern']);
const BOTH = /** @type {const} */ (['legacy', 'modern']);

/** Small on purpose, so that there is a second page. */
const RESOURCES_A_PAGE = 8;

/** Every request we answer. @type {Map<string, Method>} */
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
