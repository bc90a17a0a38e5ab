// @ts-check
// What differs between protocol versions, as tables. Everything else in this folder is the same for all of them.
import { invalidParams, RpcError } from './errors.mjs';

/** @typedef {'legacy' | 'modern'} Era */
/** @typedef {{ [key: string]: unknown }} JsonObject */

/** Versions that open with `initialize`, oldest first. */
export const LEGACY_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
/** What a client is offered that asks for a version we don't know. */
export const NEWEST_LEGACY_VERSION = '2025-11-25';
/** The version in which every request says in `_meta` what it speaks. */
export const MODERN_VERSION = '2026-07-28';

/** Keys of `_meta` in the modern era. */
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
};

/** How long a client may keep lists and resources, and for whom. Ours change, so hardly. */
const CACHE_HINT = { ttlMs: 1000, cacheScope: 'private' };

/** The version that first had each member; members not named here were always there. */
const SINCE = {
  implementation: {
    title: '2025-06-18',
    description: '2025-11-25',
    websiteUrl: '2025-11-25',
    icons: '2025-11-25',
  },
  capabilities: { completions: '2025-03-26' },
  tool: { annotations: '2025-03-26', title: '2025-06-18', outputSchema: '2025-06-18', icons: '2025-11-25' },
  prompt: { title: '2025-06-18', icons: '2025-11-25' },
  argument: { title: '2025-06-18' },
  resource: { title: '2025-06-18', icons: '2025-11-25' },
  annotations: { lastModified: '2025-06-18' },
  call: { structuredContent: '2025-06-18' },
  progress: { message: '2025-03-26' },
};

/** Content types younger than the oldest version. */
const CONTENT_SINCE = new Map([
  ['audio', '2025-03-26'],
  ['resource_link', '2025-06-18'],
]);

/**
 * A copy of `object` without the members that `version` doesn't know. Versions are dates, so they compare as text.
 *
 * @param {keyof typeof SINCE} kind
 * @param {object} object
 * @param {string} version
 * @returns {JsonObject}
 */
export function inVersion(kind, object, version) {
  const since = new Map(Object.entries(SINCE[kind]));
  return Object.fromEntries(Object.entries(object).filter(([key]) => (since.get(key) ?? '') <= version));
}

/**
 * A content block as `version` can carry it: types it doesn't know become a line of text.
 *
 * @param {JsonObject} block
 * @param {string} version
 * @returns {JsonObject}
 */
export function contentInVersion(block, version) {
  const type = String(block.type);
  if ((CONTENT_SINCE.get(type) ?? '') > version) {
    return {
      type: 'text',
      text: `(${type} content, which protocol version ${version} does not have: ${block.uri ?? block.mimeType})`,
    };
  }
  const fitting = type === 'resource_link' ? inVersion('resource', block, version) : { ...block };
  if (block.annotations) fitting.annotations = inVersion('annotations', block.annotations, version);
  return fitting;
}

/**
 * The result as `version` wants it: the modern era adds its type, who answered, and what may be cached.
 *
 * @param {JsonObject} result
 * @param {{ version: string, cached: boolean, serverInfo: object }} how
 * @returns {JsonObject}
 */
export function resultInVersion(result, { version, cached, serverInfo }) {
  if (version !== MODERN_VERSION) return result;
  const meta = /** @type {JsonObject | undefined} */ (result._meta);
  return {
    resultType: 'complete',
    ...result,
    ...(cached ? CACHE_HINT : {}),
    _meta: { [META.serverInfo]: serverInfo, ...meta },
  };
}

/** Since 2025-11-25 arguments that don't fit are a result a model can read; before, a protocol error. @param {string} version */
export const argumentErrorsAreResults = (version) => version >= '2025-11-25';

/** An error that answers no known request has a null id in JSON-RPC; MCP leaves it out since 2025-11-25. @param {string} version */
export const idOfUnreadable = (version) => (version >= '2025-11-25' ? {} : { id: null });

/** @param {string} version */
export const resourceNotFoundCode = (version) => (version === MODERN_VERSION ? -32602 : -32002);

/** @param {string} version */
export const allowsBatches = (version) => version === '2025-03-26';

/**
 * Checks what every modern request must carry in `_meta`.
 *
 * @param {JsonObject} meta
 */
export function checkEnvelope(meta) {
  const version = meta[META.version];
  if (typeof version !== 'string') throw invalidParams(`Missing required _meta field: ${META.version}`);
  if (version !== MODERN_VERSION) throw unsupportedVersion(version);
  const capabilities = meta[META.capabilities];
  if (typeof capabilities !== 'object' || capabilities === null || Array.isArray(capabilities)) {
    throw invalidParams(`Missing required _meta field: ${META.capabilities}`);
  }
}

/** @param {unknown} requested */
export function unsupportedVersion(requested) {
  return new RpcError(-32022, 'Unsupported protocol version', {
    supported: [MODERN_VERSION],
    requested: String(requested),
  });
}
