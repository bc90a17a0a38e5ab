import { during, type Shape, since, until } from '../shape';
import { CACHEABLE, NOTIFICATION_PARAMS, REQUEST_PARAMS, RESULT } from './common';

const CHANGES: Shape = { 'listChanged?': 'boolean' };

/** How the two sides get to know each other, and what they promise. */
export const OPENING_SHAPES = {
  ClientCapabilities: {
    'experimental?': '{object}',
    'roots?': [until('2025-11-25', 'ListChanges'), since('2026-07-28', 'object')],
    'sampling?': [until('2025-06-18', 'object'), since('2025-11-25', 'SamplingCapability')],
    'elicitation?': [during('2025-06-18', '2025-06-18', 'object'), since('2025-11-25', 'ElicitationCapability')],
    'tasks?': during('2025-11-25', '2025-11-25', 'ClientTasksCapability'),
    'extensions?': since('2026-07-28', '{object}'),
  },
  ServerCapabilities: {
    'experimental?': '{object}',
    'logging?': 'object',
    'completions?': since('2025-03-26', 'object'),
    'prompts?': 'ListChanges',
    'resources?': 'ResourcesCapability',
    'tools?': 'ListChanges',
    'tasks?': during('2025-11-25', '2025-11-25', 'ServerTasksCapability'),
    'extensions?': since('2026-07-28', '{object}'),
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
    supportedVersions: 'string[]',
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
  UnsupportedVersionData: { requested: 'string', supported: 'string[]' },
  MissingCapabilityData: { requiredCapabilities: 'ClientCapabilities' },
} as const satisfies Record<string, Shape>;
