import { during, type Shape, since, until } from '../shape';
import { META, REQUEST_PARAMS, RESULT, TASK_PARAMS } from './common';

/** Members of a task, alone and spread over results and notifications. */
const TASK: Shape = {
  taskId: 'string',
  status: 'TaskStatus',
  'statusMessage?': 'string',
  createdAt: 'string',
  lastUpdatedAt: 'string',
  ttl: 'integer | null',
  'pollInterval?': 'integer',
};

/** Answers of a client: embedded in a later request they are bare. */
const ANSWER: Shape = { '_meta?': until('2025-11-25', 'object') };
const SAMPLED: Shape = {
  role: 'Role',
  content: [
    until('2024-11-05', 'TextContent | ImageContent'),
    during('2025-03-26', '2025-06-18', 'TextContent | ImageContent | AudioContent'),
    since('2025-11-25', 'SampledContent | SampledContent[]'),
  ],
};

/** What servers ask of clients, and long-running work. */
export const ASKING_SHAPES = {
  CreateMessageParams: {
    ...TASK_PARAMS,
    messages: 'SamplingMessage[]',
    maxTokens: 'integer',
    'modelPreferences?': 'ModelPreferences',
    'systemPrompt?': 'string',
    'includeContext?': "'none' | 'thisServer' | 'allServers'",
    'temperature?': 'number',
    'stopSequences?': 'string[]',
    'metadata?': 'object',
    'tools?': since('2025-11-25', 'Tool[]'),
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
  ListRootsResult: { ...ANSWER, roots: 'Root[]' },
  Root: { ...META, uri: 'uri', 'name?': 'string' },
  RootsParams: { '_meta?': [until('2025-11-25', 'RequestMeta'), since('2026-07-28', 'object')] },
  ElicitFormParams: {
    ...TASK_PARAMS,
    'mode?': since('2025-11-25', "'form'"),
    message: 'string',
    requestedSchema: 'RequestedSchema',
  },
  ElicitUrlParams: {
    ...TASK_PARAMS,
    mode: since('2025-11-25', "'url'"),
    message: 'string',
    url: since('2025-11-25', 'uri'),
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
  UrlElicitationData: { elicitations: 'ElicitUrlParams[]' },
  InputRequiredResult: { ...RESULT, 'inputRequests?': '{InputRequest}', 'requestState?': 'string' },
  SamplingInputRequest: { method: "'sampling/createMessage'", params: 'CreateMessageParams' },
  RootsInputRequest: { method: "'roots/list'", 'params?': 'RootsParams' },
  ElicitInputRequest: { method: "'elicitation/create'", params: 'ElicitParams' },
  TaskMetadata: { 'ttl?': 'integer' },
  Task: TASK,
  TaskResult: { ...RESULT, ...TASK },
  CreateTaskResult: { ...RESULT, task: 'Task' },
  ListTasksResult: { ...RESULT, tasks: 'Task[]', 'nextCursor?': 'string' },
  TaskParams: { ...REQUEST_PARAMS, taskId: 'string' },
  TaskStatusParams: { '_meta?': 'object', ...TASK },
} as const satisfies Record<string, Shape>;
