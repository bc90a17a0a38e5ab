// @ts-check
import { text } from './content.mjs';
import { argumentProblems } from './json-schema.mjs';
import { argumentErrorsAreResults, contentInVersion, inVersion, invalidParams } from './protocol.mjs';
import { ECHO_TOOLS, PLANNING_TOOLS } from './tools/arguments.mjs';
import { LOGBOOK_TOOLS } from './tools/logbook.mjs';
import { NIGHT_TOOLS, SLOW_TOOLS, WATCH_TOOLS } from './tools/notifications.mjs';
import { ANSWER_TOOLS } from './tools/results.mjs';
import { TROUBLE_TOOLS } from './tools/trouble.mjs';

/** @typedef {import('./protocol.mjs').JsonObject} JsonObject */
/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} [title]
 * @property {string} description
 * @property {JsonObject} inputSchema
 * @property {JsonObject} [outputSchema]
 * @property {object} [annotations]
 * @property {object[]} [icons]
 * @property {(args: any, call: import('./call.mjs').Call, station: import('./station.mjs').Station)
 *   => ToolResult | Promise<ToolResult>} run Its `args` match the input schema.
 */
/** @typedef {{ content: JsonObject[], structuredContent?: unknown, isError?: boolean }} ToolResult */

/** @type {readonly Tool[]} */
const TOOLS = [
  ...LOGBOOK_TOOLS,
  ...WATCH_TOOLS,
  ...PLANNING_TOOLS,
  ...ECHO_TOOLS,
  ...ANSWER_TOOLS,
  ...SLOW_TOOLS,
  ...TROUBLE_TOOLS,
];

/** @param {import('./station.mjs').Station} station @returns {readonly Tool[]} */
const toolsOf = (station) => (station.watch === 'night' ? [...TOOLS, ...NIGHT_TOOLS] : TOOLS);

/**
 * @param {import('./station.mjs').Station} station
 * @param {string} version
 */
export function listTools(station, version) {
  return toolsOf(station).map(({ run, ...tool }) => inVersion('tool', tool, version));
}

/**
 * @param {JsonObject} params
 * @param {import('./call.mjs').Call} call
 * @param {import('./station.mjs').Station} station
 * @returns {Promise<JsonObject>}
 */
export async function callTool(params, call, station) {
  const tool = toolsOf(station).find(({ name }) => name === params.name);
  if (tool === undefined) throw invalidParams(`Unknown tool: ${params.name}`);
  const args = params.arguments ?? {};
  const problems = argumentProblems(args, tool.inputSchema);
  if (problems.length > 0) {
    if (!argumentErrorsAreResults(call.version))
      throw invalidParams(`Invalid arguments for ${tool.name}`, { problems });
    return { content: [text(`Invalid arguments for ${tool.name}:\n- ${problems.join('\n- ')}`)], isError: true };
  }
  const result = await tool.run(args, call, station);
  const content = result.content.map((block) => contentInVersion(block, call.version));
  return inVersion('call', { ...result, content }, call.version);
}
