import { during, type FieldRows, type ObjectShape, since, until } from './rows';

// The objects of every protocol version, as one table a topic. rows.ts explains the notation, and SHAPES joins the
// tables.

/** Members of every result. Modern results have a type. */
const RESULT: ObjectShape = {
  '_meta?': [until('2025-11-25', 'object'), since('2026-07-28', 'ResultMeta')],
  resultType: since('2026-07-28', 'string'),
};

/** Cache hints of modern results. */
const CACHEABLE: ObjectShape = {
  ttlMs: since('2026-07-28', 'milliseconds'),
  cacheScope: since('2026-07-28', "'public' | 'private'"),
};

/** Params of every request. Modern requests identify the client. */
const REQUEST_PARAMS: ObjectShape = {
  _meta: since('2026-07-28', 'RequestMeta'),
  '_meta?': until('2025-11-25', 'RequestMeta'),
};

/** Params of requests that can start a task, in the one version with tasks. */
const TASK_PARAMS: ObjectShape = {
  '_meta?': until('2025-11-25', 'RequestMeta'),
  'task?': during('2025-11-25', '2025-11-25', 'TaskMetadata'),
};

/** Params of requests that can be repeated with the input that the server asked for. */
const ANSWERING_PARAMS: ObjectShape = {
  ...REQUEST_PARAMS,
  'inputResponses?': since('2026-07-28', '{InputResponse}'),
  'requestState?': since('2026-07-28', 'string'),
};

const NOTIFICATION_PARAMS: ObjectShape = {
  '_meta?': [until('2025-11-25', 'object'), since('2026-07-28', 'NotificationMeta')],
};

/** Members of things shown to users: `title`, `_meta` and, later, icons. */
const TITLED: ObjectShape = { name: 'string', 'title?': since('2025-06-18', 'string') };
const META: ObjectShape = { '_meta?': since('2025-06-18', 'object') };
const ICONS: ObjectShape = { 'icons?': since('2025-11-25', 'Icon[]') };

const COMMON_SHAPES = {
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
    src: 'iconUri',
    'mimeType?': 'iconType',
    'sizes?': 'iconSize[]',
    'theme?': "'light' | 'dark'",
  },
  Annotations: {
    'audience?': 'Role[]',
    'priority?': 'share',
    'lastModified?': since('2025-06-18', 'timestamp'),
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
    progress: 'quantity',
    'total?': 'quantity',
    'message?': since('2025-03-26', 'string'),
  },
  RpcError: { code: 'integer', message: 'string', 'data?': 'any' },
} as const satisfies Record<string, ObjectShape>;

const CHANGES: ObjectShape = { 'listChanged?': 'boolean' };

/** Handshake and capabilities. */
const OPENING_SHAPES = {
  ClientCapabilities: {
    'experimental?': '{object}',
    'roots?': [until('2025-11-25', 'ListChanges'), since('2026-07-28', 'object')],
    'sampling?': [until('2025-06-18', 'object'), since('2025-11-25', 'SamplingCapability')],
    'elicitation?': [during('2025-06-18', '2025-06-18', 'object'), since('2025-11-25', 'ElicitationCapability')],
    'tasks?': during('2025-11-25', '2025-11-25', 'ClientTasksCapability'),
    'extensions?': since('2026-07-28', 'extensions'),
  },
  ServerCapabilities: {
    'experimental?': '{object}',
    'logging?': 'object',
    'completions?': since('2025-03-26', 'object'),
    'prompts?': 'ListChanges',
    'resources?': 'ResourcesCapability',
    'tools?': 'ListChanges',
    'tasks?': during('2025-11-25', '2025-11-25', 'ServerTasksCapability'),
    'extensions?': since('2026-07-28', 'extensions'),
  },
  ListChanges: CHANGES,
  ResourcesCapability: { ...CHANGES, 'subscribe?': 'boolean' },
  SamplingCapability: { 'context?': 'object', 'tools?': 'object' },
  ElicitationCapability: { 'form?': 'object', 'url?': 'object' },
  ClientTasksCapability: { 'list?': 'object', 'cancel?': 'object', 'requests?': 'ClientTaskRequests' },
  ClientTaskRequests: { 'elicitation?': 'TaskElicitation', 'sampling?': 'TaskSampling' },
  TaskElicitation: { 'create?': 'object' },
  TaskSampling: { 'createMessage?': 'object' },
  ServerTasksCapability: { 'list?': 'object', 'cancel?': 'object', 'requests?': 'ServerTaskRequests' },
  ServerTaskRequests: { 'tools?': 'TaskTools' },
  TaskTools: { 'call?': 'object' },
  InitializeParams: {
    ...REQUEST_PARAMS,
    protocolVersion: 'string',
    capabilities: 'ClientCapabilities',
    clientInfo: 'Implementation',
  },
  InitializeResult: {
    ...RESULT,
    protocolVersion: 'string',
    capabilities: 'ServerCapabilities',
    serverInfo: 'Implementation',
    'instructions?': 'string',
  },
  DiscoverResult: {
    ...RESULT,
    ...CACHEABLE,
    supportedVersions: 'versionDate[]',
    capabilities: 'ServerCapabilities',
    'instructions?': 'string',
  },
  SubscriptionFilter: {
    'toolsListChanged?': 'boolean',
    'promptsListChanged?': 'boolean',
    'resourcesListChanged?': 'boolean',
    'resourceSubscriptions?': 'string[]',
  },
  ListenParams: { ...REQUEST_PARAMS, notifications: 'SubscriptionFilter' },
  ListenResult: { resultType: 'string', _meta: 'ListenResultMeta' },
  AcknowledgedParams: { ...NOTIFICATION_PARAMS, notifications: 'SubscriptionFilter' },
  SetLevelParams: { ...REQUEST_PARAMS, level: 'LoggingLevel' },
  LogParams: { ...NOTIFICATION_PARAMS, level: 'LoggingLevel', 'logger?': 'string', data: 'any' },
  UnsupportedVersionData: { requested: 'string', supported: 'versionDate[]' },
  MissingCapabilityData: { requiredCapabilities: 'ClientCapabilities' },
} as const satisfies Record<string, ObjectShape>;

const ANNOTATED: ObjectShape = { 'annotations?': 'Annotations' };

/** Members of a resource, listed or linked to. */
const RESOURCE: ObjectShape = {
  ...TITLED,
  ...META,
  ...ICONS,
  ...ANNOTATED,
  uri: 'uri',
  'description?': 'string',
  'mimeType?': 'mimeType',
  'size?': 'count',
};

const CONTENTS: ObjectShape = { ...META, uri: 'uri', 'mimeType?': 'mimeType' };

/** Content of tools, prompts and models. */
const CONTENT_SHAPES = {
  TextContent: { ...META, ...ANNOTATED, type: "'text'", text: 'string' },
  ImageContent: { ...META, ...ANNOTATED, type: "'image'", data: 'base64', mimeType: 'imageType' },
  AudioContent: { ...META, ...ANNOTATED, type: "'audio'", data: 'base64', mimeType: 'audioType' },
  EmbeddedResource: { ...META, ...ANNOTATED, type: "'resource'", resource: 'TextContents | BlobContents' },
  ResourceLink: { ...RESOURCE, type: "'resource_link'" },
  TextContents: { ...CONTENTS, text: 'string', 'blob?': '!text' },
  BlobContents: { ...CONTENTS, blob: 'base64', 'text?': '!blob' },
  ToolUseContent: { ...META, type: "'tool_use'", id: 'string', name: 'string', input: 'object' },
  ToolResultContent: {
    ...META,
    type: "'tool_result'",
    toolUseId: 'string',
    content: 'ContentBlock[]',
    'structuredContent?': [until('2025-11-25', 'object'), since('2026-07-28', 'any')],
    'isError?': 'boolean',
  },
  PromptMessage: { role: 'Role', content: 'ContentBlock' },
  GetPromptParams: { ...ANSWERING_PARAMS, name: 'string', 'arguments?': '{string}' },
  GetPromptResult: { ...RESULT, 'description?': 'string', messages: 'PromptMessage[]' },
  ReadResourceParams: { ...ANSWERING_PARAMS, uri: 'uri' },
  ReadResourceResult: { ...RESULT, ...CACHEABLE, contents: '(TextContents | BlobContents)[]' },
} as const satisfies Record<string, ObjectShape>;

const LIST: ObjectShape = { ...RESULT, ...CACHEABLE, 'nextCursor?': 'string' };

/** Tools, prompts and resources, and requests that use them. */
const LISTED_SHAPES = {
  Tool: {
    ...TITLED,
    ...META,
    ...ICONS,
    'description?': 'string',
    inputSchema: 'InputSchema',
    'outputSchema?': [during('2025-06-18', '2025-11-25', 'InputSchema'), since('2026-07-28', 'OutputSchema')],
    'annotations?': since('2025-03-26', 'ToolAnnotations'),
    'execution?': during('2025-11-25', '2025-11-25', 'ToolExecution'),
  },
  InputSchema: {
    '$schema?': since('2025-11-25', 'string'),
    type: "'object'",
    'properties?': until('2025-11-25', '{object}'),
    'required?': until('2025-11-25', 'string[]'),
  },
  OutputSchema: { '$schema?': 'string' },
  ToolAnnotations: {
    'title?': 'string',
    'readOnlyHint?': 'boolean',
    'destructiveHint?': 'boolean',
    'idempotentHint?': 'boolean',
    'openWorldHint?': 'boolean',
  },
  ToolExecution: { 'taskSupport?': "'forbidden' | 'optional' | 'required'" },
  ListToolsResult: { ...LIST, tools: 'Tool[]' },
  CallToolParams: { ...ANSWERING_PARAMS, ...TASK_PARAMS, name: 'string', 'arguments?': 'object' },
  CallToolResult: {
    ...RESULT,
    content: 'ContentBlock[]',
    'structuredContent?': [during('2025-06-18', '2025-11-25', 'object'), since('2026-07-28', 'any')],
    'isError?': 'boolean',
  },
  Prompt: { ...TITLED, ...META, ...ICONS, 'description?': 'string', 'arguments?': 'PromptArgument[name]' },
  PromptArgument: { ...TITLED, 'description?': 'string', 'required?': 'boolean' },
  ListPromptsResult: { ...LIST, prompts: 'Prompt[]' },
  Resource: RESOURCE,
  ResourceTemplate: {
    ...TITLED,
    ...META,
    ...ICONS,
    uriTemplate: 'uriTemplate',
    'description?': 'string',
    'mimeType?': 'mimeType',
    'annotations?': 'Annotations',
  },
  ListResourcesResult: { ...LIST, resources: 'Resource[]' },
  ListResourceTemplatesResult: { ...LIST, resourceTemplates: 'ResourceTemplate[]' },
  ResourceParams: { ...REQUEST_PARAMS, uri: 'uri' },
  ResourceUpdatedParams: { ...NOTIFICATION_PARAMS, uri: 'uri' },
  CompleteParams: {
    ...REQUEST_PARAMS,
    ref: 'PromptReference | ResourceReference',
    argument: 'CompleteArgument',
    'context?': since('2025-06-18', 'CompleteContext'),
  },
  CompleteArgument: { name: 'string', value: 'string' },
  CompleteContext: { 'arguments?': '{string}' },
  PromptReference: { ...TITLED, type: "'ref/prompt'" },
  ResourceReference: { type: "'ref/resource'", uri: 'uriTemplate' },
  CompleteResult: { ...RESULT, completion: 'Completion' },
  Completion: {
    values: [until('2025-11-25', 'string[]'), since('2026-07-28', 'string[100]')],
    'total?': 'integer',
    'hasMore?': 'boolean',
  },
} as const satisfies Record<string, ObjectShape>;

/** Members of a task, alone or as part of a result or notification. */
const TASK: ObjectShape = {
  taskId: 'string',
  status: 'TaskStatus',
  'statusMessage?': 'string',
  createdAt: 'taskTime',
  lastUpdatedAt: 'taskTime',
  ttl: 'count | null',
  'pollInterval?': 'integer',
};

/** Results that a client sends. In the modern era they are embedded in the next request, without `_meta`. */
const ANSWER: ObjectShape = { '_meta?': until('2025-11-25', 'object') };
const SAMPLED: ObjectShape = {
  role: 'Role',
  content: [
    until('2024-11-05', 'TextContent | ImageContent'),
    during('2025-03-26', '2025-06-18', 'TextContent | ImageContent | AudioContent'),
    since('2025-11-25', 'SampledContent | SampledContent[]'),
  ],
};

/** Requests from servers to clients, and tasks. */
const ASKING_SHAPES = {
  CreateMessageParams: {
    ...TASK_PARAMS,
    messages: 'SamplingMessage[]',
    maxTokens: 'positive',
    'modelPreferences?': 'ModelPreferences',
    'systemPrompt?': 'string',
    'includeContext?': "'none' | 'thisServer' | 'allServers'",
    'temperature?': 'quantity',
    'stopSequences?': 'string[]',
    'metadata?': 'object',
    'tools?': since('2025-11-25', 'Tool[name]'),
    'toolChoice?': since('2025-11-25', 'ToolChoice'),
  },
  ToolChoice: { 'mode?': "'auto' | 'required' | 'none'" },
  ModelPreferences: {
    'hints?': 'ModelHint[]',
    'costPriority?': 'share',
    'speedPriority?': 'share',
    'intelligencePriority?': 'share',
  },
  ModelHint: { 'name?': 'string' },
  SamplingMessage: { ...SAMPLED, '_meta?': since('2025-11-25', 'object') },
  CreateMessageResult: { ...SAMPLED, '_meta?': 'object', model: 'string', 'stopReason?': 'string' },
  ListRootsResult: { ...ANSWER, roots: 'Root[uri]' },
  Root: { ...META, uri: 'fileUri', 'name?': 'string' },
  RootsParams: { '_meta?': [until('2025-11-25', 'RequestMeta'), since('2026-07-28', 'object')] },
  ElicitFormParams: {
    ...TASK_PARAMS,
    'mode?': since('2025-11-25', "'form'"),
    message: 'string',
    requestedSchema: 'RequestedSchema',
    'url?': since('2025-11-25', '!requestedSchema'),
  },
  ElicitUrlParams: {
    ...TASK_PARAMS,
    mode: since('2025-11-25', "'url'"),
    message: 'string',
    url: since('2025-11-25', 'webUrl'),
    'requestedSchema?': since('2025-11-25', '!url'),
    elicitationId: during('2025-11-25', '2025-11-25', 'string'),
  },
  RequestedSchema: {
    '$schema?': since('2025-11-25', 'string'),
    type: "'object'",
    properties: '{PrimitiveSchema}',
    'required?': 'string[]',
  },
  ElicitResult: {
    ...ANSWER,
    action: "'accept' | 'decline' | 'cancel'",
    'content?': [
      during('2025-06-18', '2025-06-18', '{string | number | boolean}'),
      since('2025-11-25', '{string | number | boolean | string[]}'),
    ],
  },
  ElicitationCompleteParams: { elicitationId: 'string' },
  UrlElicitationData: { elicitations: 'ElicitUrlParams[elicitationId]' },
  InputRequiredResult: { ...RESULT, 'inputRequests?': '{InputRequest}', 'requestState?': 'string' },
  SamplingInputRequest: { method: "'sampling/createMessage'", params: 'CreateMessageParams' },
  RootsInputRequest: { method: "'roots/list'", 'params?': 'RootsParams' },
  ElicitInputRequest: { method: "'elicitation/create'", params: 'ElicitParams' },
  TaskMetadata: { 'ttl?': 'count' },
  Task: TASK,
  TaskResult: { ...RESULT, ...TASK },
  CreateTaskResult: { ...RESULT, task: 'Task' },
  ListTasksResult: { ...RESULT, tasks: 'Task[taskId]', 'nextCursor?': 'string' },
  TaskParams: { ...REQUEST_PARAMS, taskId: 'string' },
  TaskStatusParams: { '_meta?': 'object', ...TASK },
} as const satisfies Record<string, ObjectShape>;

const ABOUT: ObjectShape = { 'title?': 'string', 'description?': 'string' };
const TEXT: ObjectShape = { ...ABOUT, type: "'string'", 'default?': since('2025-11-25', 'string') };
const MANY: ObjectShape = {
  ...ABOUT,
  type: "'array'",
  'minItems?': 'count',
  'maxItems?': 'count',
  'default?': 'string[]',
};

/** Schemas allowed in an elicitation. */
const FORM_SHAPES = {
  StringSchema: {
    ...TEXT,
    'minLength?': 'count',
    'maxLength?': 'count',
    'format?': "'email' | 'uri' | 'date' | 'date-time'",
  },
  NumberSchema: {
    ...ABOUT,
    type: "'number' | 'integer'",
    'minimum?': 'number',
    'maximum?': 'number',
    'default?': since('2025-11-25', 'number'),
  },
  BooleanSchema: { ...ABOUT, type: "'boolean'", 'default?': 'boolean' },
  ChoiceSchema: { ...TEXT, enum: 'string[]', 'enumNames?': 'string[]' },
  TitledChoiceSchema: { ...TEXT, oneOf: 'TitledValue[const]' },
  ManyChoiceSchema: { ...MANY, items: 'ChoiceItems' },
  TitledManyChoiceSchema: { ...MANY, items: 'TitledItems' },
  ChoiceItems: { type: "'string'", enum: 'string[]' },
  TitledItems: { anyOf: 'TitledValue[const]' },
  TitledValue: { const: 'string', title: 'string' },
} as const satisfies Record<string, ObjectShape>;

const SHAPE_ROWS = {
  ...COMMON_SHAPES,
  ...OPENING_SHAPES,
  ...CONTENT_SHAPES,
  ...LISTED_SHAPES,
  ...ASKING_SHAPES,
  ...FORM_SHAPES,
} as const satisfies Record<string, ObjectShape>;

/** Our name for an object of the protocol. */
export type ShapeName = keyof typeof SHAPE_ROWS;

/** Every object of every version, by our name. */
export const OBJECT_SHAPES: ReadonlyMap<string, ObjectShape> = new Map<string, ObjectShape>(Object.entries(SHAPE_ROWS));

/** Names for types that are not objects. */
export const ALIASES: ReadonlyMap<string, FieldRows> = new Map<string, FieldRows>([
  ['token', 'string | integer'],
  ['Role', "'user' | 'assistant'"],
  ['LoggingLevel', "'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'"],
  ['TaskStatus', "'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'"],
  [
    'ContentBlock',
    [
      until('2024-11-05', 'TextContent | ImageContent | EmbeddedResource'),
      during('2025-03-26', '2025-03-26', 'TextContent | ImageContent | AudioContent | EmbeddedResource'),
      since('2025-06-18', 'TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource'),
    ],
  ],
  ['SampledContent', 'TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent'],
  [
    'ElicitParams',
    [until('2025-06-18', 'ElicitFormParams'), since('2025-11-25', 'ElicitFormParams | ElicitUrlParams')],
  ],
  [
    'PrimitiveSchema',
    [
      until('2025-06-18', 'StringSchema | NumberSchema | BooleanSchema | ChoiceSchema'),
      since(
        '2025-11-25',
        'StringSchema | NumberSchema | BooleanSchema | ChoiceSchema | TitledChoiceSchema | ManyChoiceSchema | TitledManyChoiceSchema',
      ),
    ],
  ],
  ['InputRequest', 'SamplingInputRequest | RootsInputRequest | ElicitInputRequest'],
  ['InputResponse', 'CreateMessageResult | ListRootsResult | ElicitResult'],
]);

/** Objects that may have any member. In them, a member that only other versions define is not a fault. */
export const OPEN_SHAPES: ReadonlySet<string> = new Set<ShapeName>([
  'RequestMeta',
  'ResultMeta',
  'NotificationMeta',
  'ListenResultMeta',
  'InputSchema',
  'OutputSchema',
]);
