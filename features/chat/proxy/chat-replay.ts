import type { OfferedTool } from '@/features/chat/lib/chat-frame';
import type { ChatState } from '@/features/chat/lib/chat-state';
import { chatEventIn } from '@/features/chat/lib/event-frames';
import type { Decided } from '@/features/chat/lib/loop';
import type { ChatServer, Model } from '@/features/chat/lib/model';
import { recordedModel } from '@/features/chat/lib/recorded-model';
import { isRecordedServer, recordedDecision, recordedServers, renamedServer } from '@/features/chat/lib/replay-chat';
import { type FrameLog, framesFrom } from '@/lib/hub/frame-log';

/** A branch of a recorded chat that the page runs again: the model’s answers, the person’s decisions, and tools. */
export class ChatReplay {
  readonly recorded: ChatState;
  readonly leaf: string;
  readonly title: string;
  readonly model: Model;
  readonly #recordedServers: readonly ChatServer[];
  /** Names of the servers whose tools are live. */
  #live: ReadonlySet<string> = new Set();

  constructor(recorded: ChatState, leaf: string) {
    this.recorded = recorded;
    this.leaf = leaf;
    const first = recorded.pathTo(leaf)[0];
    const part = first?.kind === 'user' ? first.parts.find((one) => one.type === 'text') : undefined;
    this.title = part?.text.trim() ?? '';
    // The answers in the log have their differences, so nobody needs to keep them.
    this.model = recordedModel(recorded, leaf, () => {});
    this.#recordedServers = recordedServers(recorded, leaf);
  }

  /** Returns the servers of the recording, with the tools of those that are live under the same names. */
  serversWith(live: readonly ChatServer[]): readonly ChatServer[] {
    const paired = this.#recordedServers.map((before) => {
      const now = live.find((one) => isRecordedServer(before, one, this.#recordedServers, live));
      return now ? { before, server: renamedServer(now, before.name) } : { before, server: before };
    });
    this.#live = new Set(paired.flatMap(({ before, server }) => (server === before ? [] : before.name)));
    return paired.map(({ server }) => server);
  }

  /** Decides as the recording does. Undefined: a live tool would really be called, so the person decides. */
  decide(call: string, { server }: OfferedTool): Decided | undefined {
    const decided = recordedDecision(this.recorded, call);
    return decided.kind === 'run' && this.#live.has(server) ? undefined : decided;
  }
}

/** Reads the chat in a log into a state. */
export async function readChatLog(log: Pick<FrameLog, 'last' | 'segmentOf'>, state: ChatState): Promise<void> {
  for (let seq = 1; seq <= log.last; ) {
    const frames = framesFrom(await log.segmentOf(seq), seq);
    for (const frame of frames) {
      const event = chatEventIn(frame);
      if (event) state.apply(event, frame.seq);
    }
    seq += frames.length;
  }
}
