// @ts-check
// Errors, and the differences between protocol versions. Other files support all versions the same way.
/** Becomes the `error` of the response when a method throws it. */
export class RpcError extends Error {
  /**
   * @param {number} code
   * @param {string} message
   * @param {unknown} [data]
   */
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** Returns the `error` member, without `data` if undefined. */
  toJSON() {
    return { code: this.code, message: this.message, ...(this.data === undefined ? {} : { data: this.data }) };
  }
}

/** @param {string} message @param {unknown} [data] */
export const invalidRequest = (message, data) => new RpcError(-32600, message, data);
/** @param {string} method */
export const methodNotFound = (method) => new RpcError(-32601, `Method not found: ${method}`);
/** @param {string} message @param {unknown} [data] */
export const invalidParams = (message, data) => new RpcError(-32602, message, data);

/** Thrown inside a request that the client cancelled, which gets no response. */
export class Cancelled extends Error {}

/** @typedef {'legacy' | 'modern'} Era */
/** @typedef {{ [key: string]: unknown }} JsonObject */

/** Versions that open with `initialize`, oldest first. */
export const LEGACY_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
/** Offered to a client that asks for an unknown version. */
export const NEWEST_LEGACY_VERSION = '2025-11-25';
/** The version in which every request names its version in `_meta`. */
export const MODERN_VERSION = '2026-07-28';

/** Keys of `_meta` in the modern era. */
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
};

/** How long a client may cache lists and resources, and for whom. Short, because ours change. */
const CACHE_HINT = { ttlMs: 1000, cacheScope: 'private' };

/** The version that introduced each member. Every version has the members not listed here. */
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

/** The version that introduced each content type, unless all have it. */
const CONTENT_SINCE = new Map([
  ['audio', '2025-03-26'],
  ['resource_link', '2025-06-18'],
]);

/**
 * Returns a copy of `object` without members that `version` does not have. Versions are dates, so they compare as text.
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
 * Returns a content block for `version`. Types that it does not have become a line of text.
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
  const supported = type === 'resource_link' ? inVersion('resource', block, version) : { ...block };
  if (block.annotations) supported.annotations = inVersion('annotations', block.annotations, version);
  return supported;
}

/**
 * Returns a result for `version`. The modern era adds its type, the server's identity and a caching hint.
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

/**
 * Invalid arguments are a result that a model can read since 2025-11-25, and a protocol error before.
 *
 * @param {string} version
 */
export const argumentErrorsAreResults = (version) => version >= '2025-11-25';

/**
 * The id of an error response to an unreadable request: null in JSON-RPC, left out by MCP since 2025-11-25.
 *
 * @param {string} version
 */
export const idOfUnreadable = (version) => (version >= '2025-11-25' ? {} : { id: null });

/** @param {string} version */
export const resourceNotFoundCode = (version) => (version === MODERN_VERSION ? -32602 : -32002);

/** @param {string} version */
export const allowsBatches = (version) => version === '2025-03-26';

/**
 * Checks the members of `_meta` that every modern request must have.
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
