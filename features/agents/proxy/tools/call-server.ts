import * as z from 'zod';
import { isObject, own } from '@/lib/json/value';
import { AgentAnswer, UNTRUSTED } from '../answer';
import type { CallableServer } from '../callable-server';
import { sessionLine } from '../describe';
import { explainExchange } from '../explain-exchange';
import { frameName } from '../frame-link';
import { ToolError } from '../tool-error';
import { CURSOR, defineTool, MAX_TOKENS, type OpenedSource, openSource, readCursor, type ToolContext } from './tool';

/** Characters of a tool's description, and of its schema. */
const DESCRIPTION_CHARS = 200;
const SCHEMA_CHARS = 600;
/** Seconds that a call may take. */
const USUAL_SECONDS = 30;
const MOST_SECONDS = 55;
/** Milliseconds between two looks at the recording for the answer, and most looks. */
const LOOK_MS = 20;
const MOST_LOOKS = 100;

const RESTART = z.boolean().default(false).describe('Start the server again first. Set it after you changed its code.');

export const listServerTools = defineTool({
  name: 'list_server_tools',
  title: 'List the tools of the server',
  description: `Lists the tools of the server that mcp-inspect was started with: name, description and input schema. Starts the server if it is not running, and records the session.`,
  input: z.object({ restart: RESTART, cursor: CURSOR, max_tokens: MAX_TOKENS }),
  calls: true,
  async run({ restart, cursor, max_tokens }, context) {
    const server = await connected(context, restart);
    const wrong = await server.listTools(context.signal);
    const opened = await openNewest(context, server);
    if (wrong !== undefined) throw new ToolError(`${opened.quote(wrong, 500)} explain has details: ${opened.name}`);
    const { items } = opened.recording.log.state.tools;
    const answer = new AgentAnswer(max_tokens);
    answer.add(sessionLine(opened));
    answer.add(`${items.length} tools. ${UNTRUSTED}`);
    let at = readCursor(cursor);
    while (at < items.length && answer.add(toolLine(items[at]!.name, items[at]!.raw, opened))) at++;
    const more = at < items.length ? `\n${items.length - at} more: cursor "${at}".` : '';
    return { text: answer.text() + more };
  },
});

function toolLine(name: string, raw: unknown, { quote }: OpenedSource): string {
  const [description, schema] = isObject(raw) ? [own(raw, 'description'), own(raw, 'inputSchema')] : [];
  const about = typeof description === 'string' ? ` ${quote(description, DESCRIPTION_CHARS)}` : '';
  return `- ${quote(name, 128)}${about} arguments ${quote(JSON.stringify(schema ?? {}), SCHEMA_CHARS)}`;
}

export const callServerTool = defineTool({
  name: 'call_server_tool',
  title: 'Call a tool of the server',
  description: `Calls a tool of the server that mcp-inspect was started with, and explains the outcome: request, response, duration, broken rules, stderr. The server runs with the rights of the user, so the call may change things. The session is recorded: compare_runs compares it with another run.`,
  input: z.object({
    tool: z.string().max(300).describe('Name of a tool that list_server_tools lists.'),
    arguments: z.record(z.string(), z.unknown()).default({}).describe('Arguments that fit its schema.'),
    restart: RESTART,
    timeout_seconds: z.int().min(1).max(MOST_SECONDS).default(USUAL_SECONDS).describe('Then the call is cancelled.'),
    max_tokens: MAX_TOKENS,
  }),
  calls: true,
  async run({ tool, arguments: args, restart, timeout_seconds, max_tokens }, context) {
    const server = await connected(context, restart);
    const stop = AbortSignal.any([context.signal, AbortSignal.timeout(timeout_seconds * 1000)]);
    const seq = await server.callTool(tool, args, stop);
    const opened = await openNewest(context, server, seq);
    const exchange = seq === undefined ? undefined : opened.recording.log.exchange(seq);
    if (!exchange) throw new ToolError(`The call could not be sent. explain has details: ${opened.name}`);
    const answer = new AgentAnswer(max_tokens);
    answer.add(sessionLine(opened));
    answer.add(`Frame ${frameName(opened.name, exchange.requestSeq)}. ${UNTRUSTED}`);
    answer.addAll(await explainExchange(exchange, opened));
    return { text: `${answer.text()}\nMore, such as rules and stderr: explain with this frame.` };
  },
});

/** Returns the server once it is connected. Throws a ToolError. */
async function connected(context: ToolContext, restart: boolean): Promise<CallableServer> {
  const { server, signal } = context;
  if (!server) throw new ToolError('mcp-inspect was not started with --allow and a server.');
  const wrong = await server.connect(restart, signal);
  if (wrong === undefined) return server;
  if (server.recording === undefined) throw new ToolError(wrong);
  const { name, quote } = await openNewest(context, server);
  throw new ToolError(`The server can’t be reached. ${quote(wrong, 500)} Call explain with the recording ${name}.`);
}

/** Opens the recording of the newest session. With `answered`, waits until it has the end of that request. */
async function openNewest(context: ToolContext, server: CallableServer, answered?: number): Promise<OpenedSource> {
  for (let look = 0; ; look++) {
    const opened = await openSource(context, server.recording);
    const status = answered === undefined ? 'ok' : opened.recording.log.exchange(answered)?.status;
    if ((status !== undefined && status !== 'pending') || look === MOST_LOOKS || context.signal.aborted) return opened;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
