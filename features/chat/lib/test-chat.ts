import type { JsonObject } from '@/lib/json/value';
import { FakeClock } from '@/lib/wire/test-clock';
import type { TimeLimit } from '@/lib/wire/time-limit';
import { Chat, type ChatOptions } from './chat';
import { type ChatEvent, type ChatSettings, USUAL_LIMITS } from './chat-frame';
import type { AnswerTurn } from './chat-state';
import type { ChatServer, Model, ModelTool } from './model';
import { readScript } from './script';
import { scriptedModel } from './scripted-model';

type Answer = string | Awaited<ReturnType<ChatServer['callTool']>>;
type Tool = (args: JsonObject, options: Parameters<ChatServer['callTool']>[2]) => Answer | Promise<Answer>;

/** Runs patterns without a limit: those of tests end. */
export const unbounded: TimeLimit = (_ms, work) => {
  work();
  return true;
};

/** A server in memory, with a function per tool. */
export function memoryServer(
  name: string,
  tools: Readonly<Record<string, Tool>>,
  more: Readonly<Record<string, Partial<ModelTool>>> = {},
): ChatServer {
  let seq = 0;
  return {
    name,
    connection: `${name}-connection`,
    tools: async () =>
      Object.keys(tools).map((tool) => ({ name: tool, inputSchema: { type: 'object' }, ...more[tool] })),
    prompts: async () => [],
    resources: async () => [],
    getPrompt: async () => [],
    readResource: async () => [],
    callTool: async (tool, args, options) => {
      options.onSent(++seq);
      const answer = await tools[tool]!(args, options);
      return typeof answer === 'string' ? { parts: [{ type: 'text', text: answer }], isError: false } : answer;
    },
  };
}

/** A chat in memory with its events. */
export function memoryChat(options: {
  readonly rules?: readonly object[];
  readonly model?: Model;
  readonly servers?: readonly ChatServer[];
  readonly settings?: Partial<ChatSettings>;
  readonly decide?: ChatOptions['decide'];
}) {
  const events: ChatEvent[] = [];
  const clock = new FakeClock();
  const { servers = [], decide } = options;
  const model =
    options.model ??
    scriptedModel('scripted:test', readScript({ rules: options.rules ?? [] }), { within: unbounded, clock });
  const chat = new Chat({
    write: (event) => events.push(structuredClone(event)),
    model: () => model,
    servers: () => servers,
    clock,
    ...(decide && { decide }),
  });
  chat.configure({
    model: model.id,
    toolMode: model.toolMode,
    limits: USUAL_LIMITS,
    servers: servers.map(({ name }) => name),
    allow: { mode: 'all' },
    ...options.settings,
  });
  const ask = (text: string, parent?: string, signal = new AbortController().signal): Promise<AnswerTurn> =>
    chat.answer(chat.say([{ type: 'text', text }], parent), signal);
  return { chat, events, clock, ask };
}
