import { during, type Shape, since, until } from '../shape';

/** What every result may carry; modern ones say what kind they are. */
export const RESULT: Shape = {
  '_meta?': [until('2025-11-25', 'object'), since('2026-07-28', 'ResultMeta')],
  resultType: since('2026-07-28', 'string'),
};

/** What modern servers say of how long an answer holds. */
export const CACHEABLE: Shape = {
  ttlMs: since('2026-07-28', 'milliseconds'),
  cacheScope: since('2026-07-28', "'public' | 'private'"),
};

/** Params of every request; modern ones say who asks. */
export const REQUEST_PARAMS: Shape = {
  _meta: since('2026-07-28', 'RequestMeta'),
  '_meta?': until('2025-11-25', 'RequestMeta'),
};

/** Of requests that start something long: tasks, in the one version that has them. */
export const TASK_PARAMS: Shape = {
  '_meta?': until('2025-11-25', 'RequestMeta'),
  'task?': during('2025-11-25', '2025-11-25', 'TaskMetadata'),
};

/** Of requests that may be asked again with what the server wanted to know. */
export const ANSWERING_PARAMS: Shape = {
  ...REQUEST_PARAMS,
  'inputResponses?': since('2026-07-28', '{InputResponse}'),
  'requestState?': since('2026-07-28', 'string'),
};

export const NOTIFICATION_PARAMS: Shape = {
  '_meta?': [until('2025-11-25', 'object'), since('2026-07-28', 'NotificationMeta')],
};

/** Things that people see: `title` beside the name, `_meta` and, later, icons. */
export const TITLED: Shape = { name: 'string', 'title?': since('2025-06-18', 'string') };
export const META: Shape = { '_meta?': since('2025-06-18', 'object') };
export const ICONS: Shape = { 'icons?': since('2025-11-25', 'Icon[]') };

export const COMMON_SHAPES = {
  RequestMeta: {
    'progressToken?': 'token',
    'io.modelcontextprotocol/protocolVersion': since('2026-07-28', 'string'),
    'io.modelcontextprotocol/clientCapabilities': since('2026-07-28', 'ClientCapabilities'),
    'io.modelcontextprotocol/clientInfo?': since('2026-07-28', 'Implementation'),
    'io.modelcontextprotocol/logLevel?': since('2026-07-28', 'LoggingLevel'),
  },
  ResultMeta: { 'io.modelcontextprotocol/serverInfo?': since('2026-07-28', 'Implementation') },
  NotificationMeta: { 'io.modelcontextprotocol/subscriptionId?': since('2026-07-28', 'token') },
  ListenResultMeta: {
    'io.modelcontextprotocol/serverInfo?': since('2026-07-28', 'Implementation'),
    'io.modelcontextprotocol/subscriptionId': since('2026-07-28', 'token'),
  },
  EmptyResult: RESULT,
  RequestParams: REQUEST_PARAMS,
  NotificationParams: NOTIFICATION_PARAMS,
  PaginatedParams: { ...REQUEST_PARAMS, 'cursor?': 'string' },
  Implementation: {
    ...TITLED,
    ...ICONS,
    version: 'string',
    'description?': since('2025-11-25', 'string'),
    'websiteUrl?': since('2025-11-25', 'uri'),
  },
  Icon: {
    src: 'uri',
    'mimeType?': 'string',
    'sizes?': 'string[]',
    'theme?': "'light' | 'dark'",
  },
  Annotations: {
    'audience?': 'Role[]',
    'priority?': 'share',
    'lastModified?': since('2025-06-18', 'string'),
  },
  CancelledParams: {
    ...NOTIFICATION_PARAMS,
    requestId: [until('2025-06-18', 'token'), since('2026-07-28', 'token')],
    'requestId?': during('2025-11-25', '2025-11-25', 'token'),
    'reason?': 'string',
  },
  ProgressParams: {
    ...NOTIFICATION_PARAMS,
    progressToken: 'token',
    progress: 'number',
    'total?': 'number',
    'message?': since('2025-03-26', 'string'),
  },
  RpcError: { code: 'integer', message: 'string', 'data?': 'any' },
} as const satisfies Record<string, Shape>;
