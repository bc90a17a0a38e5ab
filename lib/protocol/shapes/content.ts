import { type Shape, since, until } from '../shape';
import { ANSWERING_PARAMS, CACHEABLE, ICONS, META, RESULT, TITLED } from './common';

const ANNOTATED: Shape = { 'annotations?': 'Annotations' };

/** Fields of a resource, listed or linked to. */
export const RESOURCE: Shape = {
  ...TITLED,
  ...META,
  ...ICONS,
  ...ANNOTATED,
  uri: 'uri',
  'description?': 'string',
  'mimeType?': 'string',
  'size?': 'integer',
};

const CONTENTS: Shape = { ...META, uri: 'uri', 'mimeType?': 'string' };

/** What tools, prompts and models say. */
export const CONTENT_SHAPES = {
  TextContent: { ...META, ...ANNOTATED, type: "'text'", text: 'string' },
  ImageContent: { ...META, ...ANNOTATED, type: "'image'", data: 'base64', mimeType: 'string' },
  AudioContent: { ...META, ...ANNOTATED, type: "'audio'", data: 'base64', mimeType: 'string' },
  EmbeddedResource: { ...META, ...ANNOTATED, type: "'resource'", resource: 'TextContents | BlobContents' },
  ResourceLink: { ...RESOURCE, type: "'resource_link'" },
  TextContents: { ...CONTENTS, text: 'string' },
  BlobContents: { ...CONTENTS, blob: 'base64' },
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
} as const satisfies Record<string, Shape>;
