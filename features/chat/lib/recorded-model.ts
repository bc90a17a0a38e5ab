// The answers of a recorded chat as a model, without a network. Each request is compared with the recorded one, so a
// replay shows what a changed tool description or result changes in what the model sees.
import type { ChatMessage, ChatPart, OfferedTool } from './chat-frame';
import type { AnswerTurn, ChatModelCall, ChatState } from './chat-state';
import { chatMessages, isInHistory } from './history';
import { type Model, ModelError, type ModelEvent, type ModelRequest } from './model';

/** Most characters of a text that a difference shows. */
const MOST_SHOWN = 2000;

/** A difference between a replayed request and the recorded one. */
export interface RequestDifference {
  readonly part: 'system' | 'temperature' | 'tool' | 'message';
  /** A tool's name for the model, or who a message is from. */
  readonly name?: string;
  /** The member of a tool that is different. */
  readonly member?: 'description' | 'inputSchema';
  /** Without it, something new. */
  readonly before?: string;
  /** Without it, something that is gone. */
  readonly after?: string;
}

/** One recorded request with its answer. */
interface RecordedAnswer {
  readonly system?: string;
  readonly temperature?: number;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly OfferedTool[];
  readonly response: NonNullable<ChatModelCall['response']>;
}

/**
 * Returns a model that gives the recorded answers of the branch that ends with `leaf`, in their order. A request finds
 * its answer by the messages before it, and fails where the recorded one did. `onDifference` gets each difference once.
 */
export function recordedModel(
  recorded: ChatState,
  leaf: string,
  onDifference: (difference: RequestDifference) => void,
): Model {
  const { answers, ends } = recordedAnswers(recorded, leaf);
  const reported = new Set<string>();
  return {
    id: recordedId(recorded, leaf),
    toolMode: 'native',
    async *ask(request): AsyncGenerator<ModelEvent> {
      const place = placeOf(request.messages);
      const answer = answers.get(place);
      const differences = answer === undefined ? [] : differencesOf(answer, request);
      for (const difference of differences) {
        const key = JSON.stringify(difference);
        if (!reported.has(key)) onDifference(difference);
        reported.add(key);
      }
      yield { type: 'request', body: JSON.stringify(request), losses: [] };
      if (answer === undefined) throw ends.get(place) ?? noMoreAnswers();
      const { reason, status, message } = answer.response;
      for (const part of message.parts) {
        if (part.type === 'text' || part.type === 'reasoning') yield part;
        else if (part.type === 'call') yield { type: 'call', call: part };
      }
      // Tokens were paid for once, so they are not counted again.
      const body = JSON.stringify({ recorded: message, differences });
      yield { type: 'end', reason, body, ...(status !== undefined && { status }) };
    },
  };
}

/** Returns the name of the model of a replay. */
export function recordedId(recorded: ChatState, leaf: string): string {
  return `recorded:${recorded.turns.get(leaf)?.settings?.model ?? 'unknown'}`;
}

function noMoreAnswers(): ModelError {
  const message = 'The recording has no further answer of the model.';
  return new ModelError('no-recorded-answer', message, 'Choose a model to continue.');
}

/** Names the place of a request: how many messages are of the person, and how many of the model. */
function placeOf(messages: readonly ChatMessage[]): string {
  const count = (wanted: ChatMessage['role']) => messages.filter(({ role }) => role === wanted).length;
  return `${count('user')} ${count('assistant')}`;
}

/** Returns the answers of a branch by their place, and the errors of requests that had none. */
function recordedAnswers(recorded: ChatState, leaf: string) {
  const path = recorded.pathTo(leaf);
  const messages = chatMessages(recorded, leaf, path.at(-1)?.settings?.model ?? '');
  const places = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
  const answers = new Map<string, RecordedAnswer>();
  const ends = new Map<string, ModelError>();
  let users = 0;
  for (const turn of path) {
    if (turn.kind === 'user') {
      users++;
      continue;
    }
    const { system, temperature } = turn.settings ?? {};
    // Each request with an answer has one message of the model in the history.
    for (const { tools, response } of turn.requests.filter(isInHistory)) {
      answers.set(`${users} ${answers.size}`, {
        ...(system !== undefined && { system }),
        ...(temperature !== undefined && { temperature }),
        messages: messages.slice(0, places[answers.size]),
        tools,
        response: response!,
      });
    }
    if (turn.end && turn.end.reason !== 'stop') ends.set(`${users} ${answers.size}`, endOf(turn.end));
  }
  return { answers, ends };
}

/** Returns the error with which a recorded turn ended. */
function endOf({ reason, failure }: NonNullable<AnswerTurn['end']>): ModelError {
  if (failure) return new ModelError(failure.code, failure.message, failure.advice);
  return new ModelError('recorded-end', `The recorded answer ended here (${reason}).`, 'Record the chat again.');
}

function differencesOf(recorded: RecordedAnswer, now: ModelRequest): RequestDifference[] {
  const found: RequestDifference[] = [
    ...changed({ part: 'system' }, recorded.system, now.system),
    ...changed({ part: 'temperature' }, text(recorded.temperature), text(now.temperature)),
  ];
  const names = new Set([...recorded.tools, ...now.tools].map(({ name }) => name));
  for (const name of names) {
    const before = recorded.tools.find((tool) => tool.name === name);
    const after = now.tools.find((tool) => tool.name === name);
    if (before === undefined || after === undefined) {
      found.push(...changed({ part: 'tool', name }, before && toolText(before), after && toolText(after)));
      continue;
    }
    found.push(
      ...changed({ part: 'tool', name, member: 'description' }, before.description, after.description),
      ...changed({ part: 'tool', name, member: 'inputSchema' }, text(before.inputSchema), text(after.inputSchema)),
    );
  }
  for (let at = 0; at < Math.max(recorded.messages.length, now.messages.length); at++) {
    const [before, after] = [recorded.messages[at], now.messages[at]];
    const { role } = (before ?? after)!;
    found.push(...changed({ part: 'message', name: role }, before && messageText(before), after && messageText(after)));
  }
  return found;
}

function changed(
  where: Pick<RequestDifference, 'part' | 'name' | 'member'>,
  before: string | undefined,
  after: string | undefined,
): RequestDifference[] {
  if (before === after) return [];
  return [
    {
      ...where,
      ...(before !== undefined && { before: shown(before) }),
      ...(after !== undefined && { after: shown(after) }),
    },
  ];
}

function shown(whole: string): string {
  return whole.length > MOST_SHOWN ? `${whole.slice(0, MOST_SHOWN)}…` : whole;
}

function text(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

function toolText({ name, description, inputSchema }: OfferedTool): string {
  return JSON.stringify({ name, description, inputSchema });
}

/** Returns a message without what only one provider reads. */
function messageText({ parts }: ChatMessage): string {
  const read = (part: ChatPart): readonly unknown[] => {
    if (part.type === 'reasoning') return [];
    return part.type === 'call' ? [{ name: part.name, arguments: part.arguments }] : [part];
  };
  return JSON.stringify(parts.flatMap(read));
}
