import { requireTools, toolsOfServers } from '@/features/chat/proxy/command/allowance';
import { LoadedModels } from '@/features/chat/proxy/command/chat-models';
import { partsText } from '@/features/chat/proxy/command/chat-output';
import { systemClock } from '@/lib/wire/clock';
import { declares } from '@/lib/wire/declares';
import { untilAborted } from '@/lib/wire/until-aborted';
import type { Session } from '@/proxy/library/api';
import { toInspectError } from '@/proxy/library/failures';
import { InspectError } from '@/proxy/library/inspect-error';
import type { OwnPackage } from '@/proxy/library/launch-target';
import { LiveSession } from '@/proxy/library/session';
import { Chat } from '../lib/chat';
import { type Allowance, type ChatSettings, type ChatMessage as LoopMessage, USUAL_LIMITS } from '../lib/chat-frame';
import { type AnswerTurn, ChatState, callState, writtenText } from '../lib/chat-state';
import { messagesOfPrompt, partsOfResource, partsOfResult } from '../lib/content-parts';
import { chatMessages } from '../lib/history';
import { listedPrompts, listedResources, listedTools } from '../lib/listed-items';
import { type ChatServer, ModelError } from '../lib/model';
import { allowanceOf, decisionOf, requireChatOptions } from './chat-options';
import type { AskedCall, ChatAnswer, ChatMessage, ChatOptions } from './chat-types';

/** Lets a model answer the last message. Rejects with an {@link InspectError} for options that can’t be used. */
export async function answerMessages(options: ChatOptions, own: OwnPackage): Promise<ChatAnswer> {
  try {
    requireChatOptions(options);
    const { model: name, servers = {}, onText, decide, signal } = options;
    const models = new LoadedModels({
      version: own.version,
      allowLinkLocal: options.allowLinkLocal === true,
      baseUrl: options.modelUrl,
      key: options.apiKey,
    });
    const model = await models.load(name);
    const offered = Object.entries(servers).map(([server, session]) => sessionServer(server, session));
    const allow = allowanceOf(options.allow);
    const listing = allow.written && toolsOfServers(offered, options.naming);
    const tools = await (signal && listing ? untilAborted(listing, signal).catch(() => undefined) : listing);
    if (tools) requireTools(allow, tools, '`allow`');
    // A decision that can’t be read is a mistake of the caller, so it ends the answer.
    const stop = new AbortController();
    let mistake: unknown;
    let seq = 0;
    const state = new ChatState();
    const chat = new Chat({
      write: (event) => {
        if (event.type === 'text') onText?.(event.text);
        return ++seq;
      },
      state,
      model: () => model,
      clock: systemClock,
      servers: () => offered,
      ...(decide && {
        decide: async ({ part, args }, tool, ended) => {
          const asked: AskedCall = {
            name: part.name,
            server: tool.server,
            tool: tool.tool,
            readOnly: tool.readOnly,
            arguments: args ?? {},
            signal: ended,
          };
          const decision: unknown = await decide(asked);
          try {
            return decisionOf(decision);
          } catch (error) {
            mistake ??= error;
            stop.abort();
            throw error;
          }
        },
      }),
    });
    chat.configure(settingsOf(options, model, allow));
    const last = addMessages(options.messages, chat, state, () => ++seq);
    const answer = await chat.answer(last, AbortSignal.any([...(signal ? [signal] : []), stop.signal]));
    if (mistake !== undefined) throw mistake;
    return toAnswer(answer, state, model.id);
  } catch (error) {
    if (error instanceof ModelError) throw new InspectError(error.code, `${error.message} ${error.advice}`);
    throw toInspectError(error);
  }
}

function settingsOf(
  options: ChatOptions,
  model: { readonly id: string; readonly toolMode: ChatSettings['toolMode'] },
  allow: Allowance,
): ChatSettings {
  const { servers = {}, system, temperature, toolMode = model.toolMode, naming, limits } = options;
  return {
    model: model.id,
    toolMode,
    servers: Object.keys(servers),
    limits: { ...USUAL_LIMITS, ...limits },
    allow,
    ...(system !== undefined && { system }),
    ...(temperature !== undefined && { temperature }),
    ...(naming !== undefined && { naming }),
  };
}

/** Adds a conversation to a chat. Its first and last message are the user’s. Returns the turn of the last one. */
function addMessages(messages: readonly ChatMessage[], chat: Chat, state: ChatState, nextSeq: () => number): string {
  let parent: string | undefined;
  let answer: { readonly turn: string; requests: number } | undefined;
  for (const [index, given] of messages.entries()) {
    const { role, parts } = loopMessage(given);
    if (role === 'user') {
      answer = undefined;
      parent = chat.say(parts, parent);
      continue;
    }
    if (!answer) {
      answer = { turn: `given-${index}`, requests: 0 };
      state.apply({ type: 'answer', turn: answer.turn, parent: parent! }, nextSeq());
      parent = answer.turn;
    }
    const { turn } = answer;
    if (role === 'tool') {
      for (const part of parts)
        if (part.type === 'result')
          state.apply({ type: 'result', turn, call: part.id, result: part, milliseconds: 0 }, nextSeq());
      continue;
    }
    const request = ++answer.requests;
    for (const part of parts)
      if (part.type === 'call') state.apply({ type: 'call', turn, request, call: part }, nextSeq());
    const reason = parts.some(({ type }) => type === 'call') ? 'calls' : 'stop';
    const message = { role, parts };
    state.apply({ type: 'response', turn, request, body: '', reason, milliseconds: 0, message }, nextSeq());
  }
  return parent!;
}

function loopMessage({ role, content }: ChatMessage): LoopMessage {
  return { role, parts: typeof content === 'string' ? [{ type: 'text', text: content }] : content };
}

function toAnswer(answer: AnswerTurn, state: ChatState, model: string): ChatAnswer {
  const { end, requests, calls, usage } = answer;
  const estimated = requests.reduce((sum, { tokens }) => sum + tokens.reduce((all, part) => all + part.tokens, 0), 0);
  return {
    text: writtenText(answer),
    reason: end?.reason ?? 'error',
    ...(end?.failure && { failure: end.failure }),
    calls: calls.map((call) => ({
      name: call.call.name,
      server: call.server,
      tool: call.tool,
      arguments: call.call.arguments,
      // An answer that has ended has no other states.
      state: callState(call, answer) as ChatAnswer['calls'][number]['state'],
      result: call.result ? partsText(call.result.parts) : '',
      frame: call.sent?.seq,
    })),
    tokens: { input: usage.inputTokens, output: usage.outputTokens, estimated },
    messages: chatMessages(state, answer.id, model).map(({ role, parts }) => ({ role, content: parts })),
  };
}

/** A session as a server of a chat. Its calls are in the frames of the session. */
function sessionServer(name: string, session: Session): ChatServer {
  const listed = async (capability: string, list: () => Promise<readonly object[]>) =>
    declares(session.capabilities, [capability]) ? ((await list()) as readonly Record<string, unknown>[]) : [];
  return {
    name,
    connection: name,
    tools: async () => listedTools(await listed('tools', () => session.listTools())),
    prompts: async () => listedPrompts(await listed('prompts', () => session.listPrompts())),
    resources: async () => listedResources(await listed('resources', () => session.listResources())),
    getPrompt: async (prompt, args, signal) => messagesOfPrompt(await session.getPrompt(prompt, args, { signal })),
    readResource: async (uri, signal) => partsOfResource(await session.read(uri, { signal })),
    async callTool(tool, args, { signal, onSent, text }) {
      try {
        // Somebody may have wrapped the session.
        const isOwn = session instanceof LiveSession && text !== '';
        return partsOfResult(
          await (isOwn ? session.callWritten(tool, text, signal, onSent) : session.call(tool, args, { signal })),
        );
      } catch (error) {
        signal.throwIfAborted();
        return { parts: [{ type: 'text', text: toInspectError(error).message }], isError: true };
      }
    },
  };
}
