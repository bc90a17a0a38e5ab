// @ts-check
import { text } from '../content.mjs';
import { RawJson, rawAt } from '../raw-json.mjs';

/** Tools that answer from the text of the request, not from what JSON.parse makes of it. @type {readonly import('../tools.mjs').Tool[]} */
export const ECHO_TOOLS = [
  {
    name: 'echo',
    title: 'Echo from the cliff',
    description:
      'Answers with its arguments, character for character: big integers, duplicate keys, spaces and key order come back.',
    inputSchema: {
      type: 'object',
      properties: { message: { type: 'string' }, anything: { description: 'Any JSON value.' } },
      additionalProperties: true,
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    run: (_args, { rawArguments = '{}' }) => ({ content: [text(rawArguments)] }),
  },
  {
    name: 'count_waves',
    title: 'Count the waves',
    description: 'Takes and gives an integer that does not fit into a double: 9007199254740993 has to stay odd.',
    inputSchema: {
      type: 'object',
      properties: { waves: { type: 'integer', minimum: 0, default: new RawJson('9007199254740993') } },
      required: ['waves'],
    },
    outputSchema: { type: 'object', properties: { waves: { type: 'integer' } }, required: ['waves'] },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    run: (_args, { rawArguments = '{}' }) => {
      const waves = rawAt(rawArguments, ['waves']) ?? '0';
      return { content: [text(`${waves} waves`)], structuredContent: { waves: new RawJson(waves) } };
    },
  },
];
