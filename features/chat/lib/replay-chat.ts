import { canonicalJson } from '@/lib/json/canonical';
import { type Clock, systemClock } from '@/lib/wire/clock';
import { Chat } from './chat';
import type { ChatEvent, ChatSettings, ToolResultPart } from './chat-frame';
import type { ChatCall, ChatState } from './chat-state';
import type { Decided } from './loop';
import type { ChatServer } from './model';
import { type RequestDifference, recordedId, recordedModel } from './recorded-model';
import { EARLIER_NAMING } from './tool-names';

/** A difference of a replay, and the turn of the replay that has it. */
export interface ReplayDifference extends RequestDifference {
  readonly turn: string;
}

export interface ReplayOptions {
  /** The branch's last turn; the newest branch unless set. */
  readonly leaf?: string;
  /** Live servers, whose tools are really called. Absent: recorded tools and results. */
  readonly servers?: readonly ChatServer[];
  /** Writes an event to the replay's log and returns the number of its frame. */
  readonly write: (event: ChatEvent) => number;
  readonly clock?: Clock;
}

/**
 * Runs a branch of a recorded chat again: the person's messages and decisions and the model's answers come from the
 * recording. Resolves with the new chat and with what its requests have otherwise than the recorded ones.
 */
export async function replayChat(
  recorded: ChatState,
  options: ReplayOptions,
  signal: AbortSignal,
): Promise<{ readonly chat: Chat; readonly differences: readonly ReplayDifference[] }> {
  const leaf = options.leaf ?? recorded.leafFrom() ?? '';
  const differences: ReplayDifference[] = [];
  let turn: string | undefined;
  const model = recordedModel(recorded, leaf, (difference) => differences.push({ ...difference, turn: turn ?? '' }));
  const servers = options.servers ?? recordedServers(recorded, leaf);
  const { write, clock = systemClock } = options;
  const chat = new Chat({
    write,
    model: () => model,
    servers: () => servers,
    decide: async ({ part }) => recordedDecision(recorded, part.id),
    clock,
  });
  await replayBranch(chat, recorded, leaf, signal, (begun) => {
    turn = begun;
  });
  return { chat, differences };
}

/** Says the messages of a recorded branch again, in a chat that has no turn. `onBegin` gets each answer’s turn. */
export async function replayBranch(
  chat: Chat,
  recorded: ChatState,
  leaf: string,
  signal: AbortSignal,
  onBegin?: (turn: string) => void,
): Promise<void> {
  let turn: string | undefined;
  let settings: ReturnType<ChatState['pathTo']>[number]['settings'];
  for (const one of recorded.pathTo(leaf)) {
    signal.throwIfAborted();
    if (one.settings !== undefined && one.settings !== settings) {
      settings = one.settings;
      const { limits, servers } = settings;
      const model = recordedId(recorded, leaf);
      chat.configure({ ...keptSettings(settings), limits, servers, model, toolMode: 'native' });
    }
    if (one.kind === 'user') turn = chat.say(one.parts, turn);
    else if (turn !== undefined) turn = (await chat.answer(turn, signal, onBegin)).id;
  }
}

/** Returns the settings that are taken over from a recording: not what may run, and not where requests go. */
export function keptSettings({ system, temperature, naming = EARLIER_NAMING, withheld }: ChatSettings) {
  return {
    ...(system !== undefined && { system }),
    ...(temperature !== undefined && { temperature }),
    naming,
    ...(withheld !== undefined && { withheld }),
  };
}

/** Returns what the person or the rule decided on a call. A call that was not decided is refused. */
export function recordedDecision(recorded: ChatState, call: string): Decided {
  const decision = recorded.calls.get(call)?.decision;
  return { ...(decision ?? { kind: 'refuse', reason: 'The recording has no decision on this call.' }), by: 'rule' };
}

/** Returns true if a live server is the recorded one. One for the only one is, whatever its name. */
export function isRecordedServer(
  before: ChatServer,
  now: ChatServer,
  recorded: readonly ChatServer[],
  live: readonly ChatServer[],
): boolean {
  return (live.length === 1 && recorded.length === 1) || before.name === now.name;
}

/** Returns a live server under its recorded name. `callTool` is in the place of its own. */
export function renamedServer(
  server: ChatServer,
  name: string,
  callTool: ChatServer['callTool'] = (...asked) => server.callTool(...asked),
): ChatServer {
  return {
    name,
    connection: server.connection,
    callTool,
    tools: () => server.tools(),
    prompts: () => server.prompts(),
    resources: () => server.resources(),
    getPrompt: (...asked) => server.getPrompt(...asked),
    readResource: (...asked) => server.readResource(...asked),
  };
}

/** Returns the servers of a recorded branch: their tools as they were offered, and the recorded results. */
export function recordedServers(recorded: ChatState, leaf: string): ChatServer[] {
  const path = recorded.pathTo(leaf);
  const names = new Set(path.flatMap(({ settings }) => settings?.servers ?? []));
  return [...names].map((name) => recordedServer(recorded, leaf, name));
}

function recordedServer(recorded: ChatState, leaf: string, name: string): ChatServer {
  const turns = recorded.pathTo(leaf).filter((turn) => turn.kind !== 'user');
  const offered = turns.flatMap(({ requests }) => requests).findLast(({ tools }) => tools.length > 0)?.tools ?? [];
  const calls = turns
    .flatMap((turn) => turn.calls)
    .filter(({ server, result }) => server === name && result !== undefined);
  const used = new Set<string>();
  return {
    name,
    connection: `recorded:${name}`,
    tools: async () =>
      offered
        .filter(({ server }) => server === name)
        .map(({ tool, description, inputSchema, readOnly }) => ({
          name: tool,
          ...(description !== undefined && { description }),
          inputSchema,
          annotations: { readOnlyHint: readOnly },
        })),
    prompts: async () => [],
    resources: async () => [],
    getPrompt: async () => [],
    readResource: async () => [],
    async callTool(tool, _, { text }) {
      const same = calls.filter(
        (call) => call.tool === tool && canonicalJson(sentArguments(call)) === canonicalJson(text),
      );
      const found = same.find(({ call }) => !used.has(call.id)) ?? same.at(-1);
      if (found === undefined) return noResult(tool);
      used.add(found.call.id);
      return found.result!;
    },
  };
}

/** Returns what the server got: a person may have changed the model's arguments. */
function sentArguments({ call, decision }: ChatCall): string {
  return (decision?.kind === 'run' ? decision.arguments : undefined) ?? call.arguments;
}

function noResult(tool: string): Pick<ToolResultPart, 'parts' | 'isError'> {
  const text = `The recording has no result of ${tool} with these arguments.`;
  return { parts: [{ type: 'text', text }], isError: true };
}
