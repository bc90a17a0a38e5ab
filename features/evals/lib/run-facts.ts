import type { CallDecision, ChatEvent, ChatFailure, OfferedTool, StopReason } from '@/features/chat/lib/chat-frame';
import { parseBounded } from '@/lib/json/parse';
import type { RunTokens } from './eval-attempt';

/** The answer of a model to a prompt, read from the events of its chat. */
export interface RunFacts {
  /** The turn of the answer. */
  readonly turn: string;
  /** The tools that the model had at the end. */
  readonly offered: readonly OfferedTool[];
  readonly calls: readonly MadeCall[];
  /** Text of the last message. */
  readonly text: string;
  readonly tokens: RunTokens;
  readonly reason: StopReason;
  readonly failure?: ChatFailure;
}

/** A call that the model asked for, whether it ran or not. */
export interface MadeCall {
  /** As the model named it. */
  readonly name: string;
  /** The tool as its server names it, and the server; undefined for a name that was not offered. */
  readonly tool?: string;
  readonly server?: string;
  /** undefined if they are not valid JSON. */
  readonly arguments: unknown;
  readonly argumentsText: string;
  readonly decision?: CallDecision['kind'];
  /** `loop`: it could not run, so nobody was asked. */
  readonly by?: 'person' | 'rule' | 'loop';
  /** Its frame in the log of a connection, if it ran. */
  readonly sent?: { readonly server: string; readonly connection: string; readonly seq: number };
}

/** Characters of a token of written text, for models that report no usage. */
const CHARS_PER_TOKEN = 4;

/** Reads the answer of a chat that has one. */
export function readRun(events: readonly ChatEvent[]): RunFacts {
  const byId = <T extends 'decision' | 'sent'>(type: T) =>
    new Map(
      events.flatMap((event) => (event.type === type ? [[event.call, event as Extract<ChatEvent, { type: T }>]] : [])),
    );
  const [decisions, sent] = [byId('decision'), byId('sent')];
  const responses = events.filter((event) => event.type === 'response');
  const last = responses.at(-1)?.message.parts ?? [];
  const end = events.findLast((event) => event.type === 'end');
  return {
    turn: events.find((event) => event.type === 'answer')?.turn ?? '',
    offered: events.findLast((event) => event.type === 'tools')?.tools ?? [],
    calls: events.flatMap((event) => {
      if (event.type !== 'call') return [];
      const { call, server, tool } = event;
      const { id, name, arguments: text } = call;
      const [decided, frame] = [decisions.get(id), sent.get(id)];
      return {
        name,
        arguments: argumentsOf(text),
        argumentsText: text,
        ...(tool !== undefined && { tool }),
        ...(server !== undefined && { server }),
        ...(decided && { decision: decided.decision.kind, by: decided.by }),
        ...(frame && { sent: { server: frame.server, connection: frame.connection, seq: frame.seq } }),
      };
    }),
    text: last.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    tokens: tokensOf(events),
    reason: end?.reason ?? 'error',
    ...(end?.failure && { failure: end.failure }),
  };
}

/** Reads arguments as JSON. No text means no arguments. */
function argumentsOf(text: string): unknown {
  try {
    return parseBounded(text.trim() === '' ? '{}' : text);
  } catch {
    return undefined;
  }
}

/** Sums up tokens: those that the provider counted, else estimates. */
function tokensOf(events: readonly ChatEvent[]): RunTokens {
  let [input, output, exact] = [0, 0, true];
  let estimate = 0;
  for (const event of events) {
    if (event.type === 'request') estimate = event.tokens.reduce((sum, { tokens }) => sum + tokens, 0);
    if (event.type !== 'response') continue;
    const { inputTokens, outputTokens } = event.usage ?? {};
    exact &&= inputTokens !== undefined && outputTokens !== undefined;
    input += inputTokens ?? estimate;
    output += outputTokens ?? Math.ceil(JSON.stringify(event.message.parts).length / CHARS_PER_TOKEN);
  }
  return { input, output, exact };
}
