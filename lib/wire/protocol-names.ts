// Names and codes of the protocol that code in several rooms sends or compares with. lib/protocol has the table of all
// methods. Code that lists many methods writes out their names.

/** Methods with special treatment. */
export const METHOD = {
  /** Answered only when the subscription ends, so its duration means nothing (2026-07-28). */
  listen: 'subscriptions/listen',
  /** The first message on the stream of a subscription. */
  acknowledged: 'notifications/subscriptions/acknowledged',
  /** Ends the legacy handshake. */
  initialized: 'notifications/initialized',
  progress: 'notifications/progress',
  cancelled: 'notifications/cancelled',
  log: 'notifications/message',
  /** Asks a legacy server for log messages of a level and above. */
  setLevel: 'logging/setLevel',
  /** A resource changed. */
  updated: 'notifications/resources/updated',
  /** A task changed (2025-11-25). */
  taskStatus: 'notifications/tasks/status',
  /** A task changed (extension for tasks). */
  taskChanged: 'notifications/tasks',
} as const;

/** Methods that call what a server offers. The times of calls are those of these methods. */
export const CALL_METHODS: ReadonlySet<string | undefined> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** The start of every key of `_meta` that the specification defines. */
export const META_PREFIX = 'io.modelcontextprotocol/';

/** Keys of `_meta`. All but `relatedTask` are of 2026-07-28. */
export const META_KEY = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const;

/** Official extensions. */
export const EXTENSION = {
  tasks: 'io.modelcontextprotocol/tasks',
  ui: 'io.modelcontextprotocol/ui',
  skills: 'io.modelcontextprotocol/skills',
} as const;

/** Codes of JSON-RPC errors. The last three are of 2026-07-28. */
export const RPC_CODE = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The HTTP headers that repeat parts of the message don't match it. */
  headerMismatch: -32020,
  missingCapability: -32021,
  /** `data.supported` lists the server's versions. */
  unsupportedVersion: -32022,
} as const;

/** Log levels, least severe first (RFC 5424). */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
