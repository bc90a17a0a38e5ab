// Requests of servers for a completion (`sampling/createMessage`): its params become a request to the model, and the
// model is asked once. sampling-result.ts makes the result of its answer.
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Clock } from '@/lib/wire/clock';
import { askModel, chatFailure } from './ask-model';
import { type ChatEvent, type ChatFailure, type ChatMessage, type ChatPart, USUAL_LIMITS } from './chat-frame';
import type { ChatState } from './chat-state';
import { withDescribedTools } from './described-tools';
import { type Model, ModelError, type ModelRequest, type ModelTool } from './model';
import { type SamplingAnswer, withOwnNames } from './sampling-result';
import { TimeBudget } from './time-budget';
import { offerTools } from './tool-names';

/** A server's request, as a person let it pass. */
export interface SamplingQuestion {
  readonly server: string;
  readonly connection: string;
  /** The request's frame. */
  readonly seq?: number;
  /** Name of the file that records the connection. */
  readonly recording?: string;
  /** Name of the question, if the frame asks several. */
  readonly input?: string;
  readonly params: JsonObject;
}

interface SamplingOptions {
  readonly state: ChatState;
  readonly record: (event: ChatEvent) => void;
  readonly model: Model;
  readonly clock: Clock;
}

/** Asks the model once, in a turn that has begun. Resolves with undefined if it fails; the turn's `end` says why. */
export async function completeSampling(
  { state, record, model, clock }: SamplingOptions,
  turn: string,
  params: JsonObject,
  signal: AbortSignal,
): Promise<SamplingAnswer | undefined> {
  const { settings } = state.turns.get(turn) ?? {};
  const { seconds, outputTokens } = settings?.limits ?? USUAL_LIMITS;
  const stopping = new AbortController();
  const onAbort = () => stopping.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const slow = new ModelError('too-slow', `The answer took longer than ${seconds} seconds.`, 'Raise the time limit.');
  const budget = new TimeBudget(clock, seconds, () => stopping.abort(slow));
  const endBusy = budget.begin();
  try {
    const request = samplingRequest(params, outputTokens);
    if (request.tools.length > 0 || state.tools.length > 0) record({ type: 'tools', turn, tools: request.tools });
    const answer = await askModel({
      turn,
      number: 1,
      model: settings?.toolMode === 'described' ? withDescribedTools(model) : model,
      request,
      record,
      clock,
      budget,
      signal: stopping.signal,
      isCallId: (id) => state.calls.has(id),
      checkArguments: () => [],
    });
    record({ type: 'end', turn, reason: answer.reason });
    return { ...answer, message: withOwnNames(answer.message, request.tools), model: model.id };
  } catch (error) {
    const failure: ChatFailure = chatFailure(error);
    record(
      signal.aborted ? { type: 'end', turn, reason: 'cancelled' } : { type: 'end', turn, reason: 'error', failure },
    );
    return undefined;
  } finally {
    endBusy();
    signal.removeEventListener('abort', onAbort);
  }
}

/** Reads the params of a request. Throws ModelError if they can't be sent to a model. */
export function samplingRequest(params: JsonObject, mostTokens: number): ModelRequest {
  const messages = own(params, 'messages');
  if (!Array.isArray(messages)) throw refused('it has no list of messages');
  const system = own(params, 'systemPrompt');
  const temperature = own(params, 'temperature');
  const wanted = own(params, 'maxTokens');
  const stops = own(params, 'stopSequences');
  const tools = own(params, 'tools');
  const choice = isObject(params.toolChoice) ? own(params.toolChoice, 'mode') : undefined;
  const offered = offerTools([{ server: '', tools: Array.isArray(tools) ? tools.map(toolOf) : [] }], '{tool}');
  const names: CallNames = { byId: new Map(), forModel: new Map(offered.map(({ tool, name }) => [tool, name])) };
  return {
    ...(typeof system === 'string' && { system }),
    messages: messages.flatMap((message) => messageOf(message, names)),
    tools: offered,
    ...(typeof temperature === 'number' && { temperature }),
    outputTokens: typeof wanted === 'number' && wanted >= 1 ? Math.min(Math.floor(wanted), mostTokens) : mostTokens,
    ...(Array.isArray(stops) && { stopSequences: stops.filter((stop) => typeof stop === 'string') }),
    ...((choice === 'auto' || choice === 'required' || choice === 'none') && { toolChoice: choice }),
  };
}

function refused(reason: string): ModelError {
  return new ModelError(
    'bad-sampling-request',
    `The server's request can't be sent to a model: ${reason}.`,
    'Correct the request, or reject it.',
  );
}

function toolOf(tool: unknown): ModelTool {
  const name = isObject(tool) ? own(tool, 'name') : undefined;
  if (!isObject(tool) || typeof name !== 'string' || name === '') throw refused('a tool has no name');
  const description = own(tool, 'description');
  const schema = own(tool, 'inputSchema');
  return {
    name,
    ...(typeof description === 'string' && { description }),
    inputSchema: isObject(schema) ? schema : { type: 'object' },
  };
}

interface CallNames {
  /** Names for the model by the server's names, which can have characters that providers refuse. */
  readonly forModel: ReadonlyMap<string, string>;
  /** Tools of earlier calls by id, because a result has only the id. */
  readonly byId: Map<string, string>;
}

function messageOf(message: unknown, names: CallNames): ChatMessage[] {
  if (!isObject(message)) throw refused('a message is not an object');
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') throw refused('a message has no valid role');
  const parts = (Array.isArray(content) ? content : [content]).map((block) => partOf(block, names));
  const results = parts.filter(({ type }) => type === 'result');
  const others = parts.filter(({ type }) => type !== 'result');
  const split: ChatMessage[] = [];
  if (results.length > 0) split.push({ role: 'tool', parts: results });
  if (others.length > 0) split.push({ role, parts: others });
  return split;
}

function partOf(block: unknown, names: CallNames): ChatPart {
  if (!isObject(block)) throw refused('a message has no content');
  const reader = typeof block.type === 'string' && BLOCKS.get(block.type);
  if (!reader) throw refused(`its content ${JSON.stringify(block.type)} is unknown`);
  return reader(block, names);
}

type BlockReader = (block: JsonObject, names: CallNames) => ChatPart;

const media = ({ mimeType, data }: JsonObject): ChatPart => {
  if (typeof mimeType !== 'string' || typeof data !== 'string') throw refused('an image or a sound has no data');
  return { type: 'media', mimeType, data };
};

const BLOCKS: ReadonlyMap<string, BlockReader> = new Map<string, BlockReader>([
  [
    'text',
    ({ text }) => {
      if (typeof text !== 'string') throw refused('a text has no text');
      return { type: 'text', text };
    },
  ],
  ['image', media],
  ['audio', media],
  [
    'tool_use',
    ({ id, name: tool, input }, { forModel, byId }) => {
      if (typeof id !== 'string' || typeof tool !== 'string') throw refused('a call has no id or name');
      const name = forModel.get(tool) ?? tool;
      byId.set(id, name);
      return { type: 'call', id, name, arguments: JSON.stringify(input ?? {}) };
    },
  ],
  [
    'tool_result',
    ({ toolUseId: id, content, structuredContent, isError }, { byId }) => {
      if (typeof id !== 'string') throw refused('a result has no toolUseId');
      const blocks = Array.isArray(content) ? content : [];
      const parts = blocks.map(contentPart);
      if (parts.length === 0 && structuredContent !== undefined)
        parts.push({ type: 'text', text: JSON.stringify(structuredContent) });
      return { type: 'result', id, name: byId.get(id) ?? '', parts, isError: isError === true };
    },
  ],
]);

/** Returns a block of a tool's result as a part. Resources and links become text. */
function contentPart(block: unknown): ChatPart {
  if (isObject(block) && block.type === 'text' && typeof block.text === 'string')
    return { type: 'text', text: block.text };
  if (isObject(block) && (block.type === 'image' || block.type === 'audio')) return media(block);
  return { type: 'text', text: JSON.stringify(block) };
}
