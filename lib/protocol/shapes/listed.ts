import { during, type Shape, since, until } from '../shape';
import {
  ANSWERING_PARAMS,
  CACHEABLE,
  ICONS,
  META,
  NOTIFICATION_PARAMS,
  REQUEST_PARAMS,
  RESULT,
  TASK_PARAMS,
  TITLED,
} from './common';
import { RESOURCE } from './content';

const LIST: Shape = { ...RESULT, ...CACHEABLE, 'nextCursor?': 'string' };

/** What servers list, and what is done with it. */
export const LISTED_SHAPES = {
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
  Prompt: { ...TITLED, ...META, ...ICONS, 'description?': 'string', 'arguments?': 'PromptArgument[]' },
  PromptArgument: { ...TITLED, 'description?': 'string', 'required?': 'boolean' },
  ListPromptsResult: { ...LIST, prompts: 'Prompt[]' },
  Resource: RESOURCE,
  ResourceTemplate: {
    ...TITLED,
    ...META,
    ...ICONS,
    uriTemplate: 'string',
    'description?': 'string',
    'mimeType?': 'string',
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
  ResourceReference: { type: "'ref/resource'", uri: 'string' },
  CompleteResult: { ...RESULT, completion: 'Completion' },
  Completion: {
    values: [until('2025-11-25', 'string[]'), since('2026-07-28', 'string[100]')],
    'total?': 'integer',
    'hasMore?': 'boolean',
  },
} as const satisfies Record<string, Shape>;
