import type { Replay, ReplayHost, SideChannel } from '@/lib/replay/server/replay';
import { ReplayConnection } from '@/lib/replay/server/replay-connection';
import type { Era } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { ParamHeaders } from '@/lib/wire/repeated-headers';

/** One client’s connection to the server behind an endpoint. */
export type BackendConnection = Pick<ReplayConnection, 'begin' | 'receive' | 'end'>;

/** The server behind an HTTP endpoint: a replay, or a running server. */
export interface Backend {
  readonly era: Era;
  /** The only version of legacy sessions; undefined: any. */
  readonly version: string | undefined;
  /** True if clients may resume streams (legacy). */
  readonly resumes: boolean;
  /** Most clients. Beyond that, the oldest one’s connection ends. */
  readonly mostClients: number;
  /** Tools with arguments that requests repeat in headers (modern). */
  readonly tools: ParamHeaders;
  /** Makes the connection of a new client. `side` takes the messages that belong to none of its requests. */
  connect(side: SideChannel): BackendConnection;
}

/** Makes a backend that answers from a recording. */
export function replayBackend(replay: Replay, host: Omit<ReplayHost, 'side'>): Backend {
  const { era, version, streams } = replay.traffic;
  return {
    era,
    version,
    resumes: streams.size > 0,
    mostClients: LIMITS.replaySessions,
    tools: recordedTools(replay),
    connect: (side) => new ReplayConnection(replay, { ...host, side }),
  };
}

/** Collects the recorded tools, since some arguments must be repeated in headers. */
function recordedTools({ traffic }: Replay): ParamHeaders {
  const tools = new ParamHeaders();
  for (const message of traffic.sent) {
    if (message.method !== 'tools/list' || message.kind !== 'call' || message.answer?.kind !== 'result') continue;
    tools.learnTools(`{"result":${message.answer.text}}`);
  }
  return tools;
}
