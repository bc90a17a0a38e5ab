import type { Log } from '@/lib/store/log';
import type { ConnectedServer } from '@/proxy/commands/headless/on-server';

/**
 * How a server gets along with a host. `fails`: the host loses the server or all its tools. `loses`: named tools,
 * results or features. `unknown`: nothing decides it, or only reports of users do. `out-of-reach`: the host can reach
 * public addresses only, which says nothing about the server.
 */
export type HostState = 'fails' | 'loses' | 'no-obstacle' | 'unknown' | 'out-of-reach';

/** A frame that a host stumbles over. */
export interface ObstaclePlace {
  readonly seq: number;
  /** What is wrong there, as a sentence with server text. */
  readonly words: string;
  /** Path in the frame's message: `result.tools["a"].inputSchema`. */
  readonly path?: string;
  readonly tool?: string;
}

/** A fact about a host that a session breaks. */
export interface HostObstacle {
  /** Id of the fact, which never changes. */
  readonly fact: string;
  /** What is lost: everything, all tools, the named tools, the named results, or a part of them. */
  readonly loses: 'server' | 'all-tools' | 'tool' | 'result' | 'feature';
  /** Only users report it. */
  readonly isReported: boolean;
  /** What the host does, as a sentence without the host’s name: “connects to port 443 only.” */
  readonly does: string;
  readonly advice: string;
  /** A URL, or a file of a repository with its commit. */
  readonly source: string;
  /** Day of the source, ISO 8601. */
  readonly on: string;
  /** The source is older than half a year. */
  readonly isOld: boolean;
  readonly places: readonly [ObstaclePlace, ...ObstaclePlace[]];
}

/** What a session says about a host. */
export interface HostVerdict {
  /** Id after `--for`. */
  readonly host: string;
  readonly title: string;
  readonly state: HostState;
  /** The worst one first. */
  readonly obstacles: readonly HostObstacle[];
  /** Sentences about what the session does not show yet. */
  readonly untried: readonly string[];
  /** Questions that no session answers. */
  readonly questions: readonly string[];
}

/** Judges how servers get along with hosts. */
export interface HostJudge {
  /** The hosts, by id. */
  readonly titles: ReadonlyMap<string, string>;
  readonly load: () => Promise<LoadedHostJudge>;
}

export interface LoadedHostJudge {
  /** Lists and reads what facts are about, and sends the requests that only some hosts send. Calls no tool. */
  explore(server: Pick<ConnectedServer, 'connection' | 'negotiated'>): Promise<void>;
  /** Judges a session as far as it has come. `now`: the day from which sources are old. */
  judge(log: Log, hosts: readonly string[], now: Date): readonly HostVerdict[];
}
