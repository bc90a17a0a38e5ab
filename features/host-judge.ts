import type { JsonObject } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { countOf } from '@/lib/wire/format';
import type { ConnectedServer } from '@/proxy/commands/headless/on-server';

/**
 * How a server gets along with a host. `fails`: the host loses the server or all its tools. `loses`: named tools,
 * results or features. `unknown`: nothing decides it, or only reports of users do. `out-of-reach`: the host can reach
 * public addresses only, which says nothing about the server.
 */
export type HostState = 'fails' | 'loses' | 'no-obstacle' | 'unknown' | 'out-of-reach';

/** The states in words. */
export const HOST_STATES: Readonly<Record<HostState, string>> = {
  fails: 'fails',
  loses: 'loses a part',
  'no-obstacle': 'no obstacle seen',
  unknown: 'unknown',
  'out-of-reach': 'needs a public https address',
};

/** A file that describes a server to directories. */
export interface DirectoryFile {
  /** `bundle`: the manifest of an MCP bundle. */
  readonly kind: 'server.json' | 'bundle';
  readonly value: JsonObject;
  /** Returns the first bytes of a file in the bundle, a character each. undefined: it has no such file. */
  start(path: string): string | undefined;
}

/** A place in a file that a directory stumbles over. */
export interface FilePlace {
  /** The fault there, as a sentence with server text. */
  readonly words: string;
  /** Path in the file, or in the frame's message: `result.tools["a"].inputSchema`. */
  readonly path?: string;
}

/** A frame that a host stumbles over. */
export interface ObstaclePlace extends FilePlace {
  readonly seq: number;
  readonly tool?: string;
}

/** A fact about a host that a session breaks, or a file. */
export interface HostObstacle<P extends FilePlace = ObstaclePlace> {
  /** Id of the fact, which never changes. */
  readonly fact: string;
  /** The loss: everything, all tools, the named tools, the named results, or a part of them. */
  readonly loses: 'server' | 'all-tools' | 'tool' | 'result' | 'feature';
  /** Only users report it. */
  readonly isReported: boolean;
  /** The habit of the host, as a sentence without the host’s name: “connects to port 443 only.” */
  readonly does: string;
  readonly advice: string;
  /** A URL, or a file of a repository with its commit. */
  readonly source: string;
  /** Day of the source, ISO 8601. */
  readonly on: string;
  /** The source is older than half a year. */
  readonly isOld: boolean;
  readonly places: readonly [P, ...P[]];
}

/** Returns the title of a host for the start of a line. */
export function capitalised(title: string): string {
  return title.startsWith('the ') ? `T${title.slice(1)}` : title;
}

/** Returns what weakens an obstacle: its source is old, or nobody but users says it. */
export function doubts({ isOld, isReported }: Pick<HostObstacle, 'isOld' | 'isReported'>): readonly string[] {
  return [...(isOld ? ['older than half a year'] : []), ...(isReported ? ['reported by users'] : [])];
}

/** Says where an obstacle is known from, and how sure that is: “https://…, 2026-09-02, reported by users”. */
export function sourceText({ source, on, ...obstacle }: Pick<HostObstacle, 'source' | 'on' | 'isOld' | 'isReported'>) {
  return [source, on, ...doubts(obstacle)].filter(Boolean).join(', ');
}

/** True if the host gets no server, no tools, or not all of them, and not only users say so. */
export function failsHost({ loses, isReported }: Pick<HostObstacle, 'loses' | 'isReported'>): boolean {
  return !isReported && loses !== 'result' && loses !== 'feature';
}

/**
 * Says a verdict on one line: “VS Code: loses a part, 2 obstacles. No tool has been called yet.”
 *
 * The obstacles of an unknown state are those that only users report.
 */
export function verdictLine(
  { title, state, untried }: Pick<HostVerdict, 'title' | 'state' | 'untried'>,
  obstacles: number,
): string {
  const noun = state === 'unknown' ? 'reported obstacle' : 'obstacle';
  const counted = obstacles === 0 ? '' : `, ${countOf(obstacles, noun)}`;
  return [`${capitalised(title)}: ${HOST_STATES[state]}${counted}.`, ...untried].join(' ');
}

/** A session as a host would see it, or a file. */
export interface HostVerdict<P extends FilePlace = ObstaclePlace> {
  /** Id after `--for`. */
  readonly host: string;
  readonly title: string;
  readonly state: HostState;
  /** The worst one first. */
  readonly obstacles: readonly HostObstacle<P>[];
  /** Sentences about what the session does not show yet. */
  readonly untried: readonly string[];
  /** Questions that no session answers. */
  readonly questions: readonly string[];
}

interface NameLimit<R extends string> {
  readonly rule: R;
  readonly pattern: RegExp;
  /** The pattern in words, after "accepts only". */
  readonly accepts: string;
}

/** Bounds of definitions that `check` warns about, whatever hosts are asked for. */
export type LimitRule =
  | NameLimit<'tool-name-host'>
  | NameLimit<'argument-name-host'>
  | { readonly rule: 'schema-top-level-host'; readonly keywords: readonly string[] }
  /** Most tools of all servers together. */
  | { readonly rule: 'tool-count-host'; readonly most: number };

/** A limit of a host, or of the API behind it. */
export type HostLimit = LimitRule & {
  /** Host or API, for people, and its id. */
  readonly host: string;
  readonly id: string;
  /** Ids of the host, and of hosts that always use it. */
  readonly names: readonly string[];
  readonly on: string;
  readonly source: string;
};

/** Judges how servers get along with hosts. */
export interface HostJudge {
  /** Ids of hosts, and of directories of servers. */
  readonly hosts: readonly string[];
  readonly directories: readonly string[];
  readonly load: () => Promise<LoadedHostJudge>;
}

export interface LoadedHostJudge {
  /** Lists and reads what facts are about, and sends the requests that only some hosts send. Calls no tool. */
  explore(server: {
    readonly connection: Pick<ConnectedServer['connection'], 'request' | 'sendAsHosts'>;
    readonly negotiated: ConnectedServer['negotiated'];
  }): Promise<void>;
  /** Judges a session as far as it has come. `now`: the day from which sources are old. */
  judge(log: Log, hosts: readonly string[], now: Date): readonly HostVerdict[];
  /** Judges a file of a server that is not started. */
  judgeFile(file: DirectoryFile, hosts: readonly string[], now: Date): readonly HostVerdict<FilePlace>[];
  /** Formats verdicts for people, with the requests of the session: as text, or as Markdown for an issue. */
  report(log: Log, verdicts: readonly HostVerdict[], form: 'text' | 'markdown'): string;
}
