import type { DirectoryFile, FilePlace, HostObstacle, LimitRule, ObstaclePlace } from '@/features/host-judge';
import type { HostSession } from './host-session';
import type { HostId } from './hosts';

/** The stages of a connection, in the order in which a host comes to them. */
export const STAGES = ['reach', 'transport', 'sign-in', 'handshake', 'tools', 'result', 'app', 'directory'] as const;

export type Stage = (typeof STAGES)[number];

/**
 * `source`: read in the host's code. `documented`: said by its vendor. `reported`: said by users, so it is never more
 * than a warning.
 */
export type Confidence = 'source' | 'documented' | 'reported';

/** Steps that show what a session has not shown yet. */
export const NOT_SEEN = {
  handshake: 'The handshake has not completed, so nothing after it could be checked.',
  start:
    'mcp-inspect asked for another protocol first, so how long the start takes is not certain: `--protocol 2025-11-25` measures it.',
  outOfReach: 'Nothing was judged: check the server at a public https address.',
  signIn: 'Nobody has signed in, so nothing after that could be checked.',
  tools: 'The tools have not been listed yet.',
  unread: 'The tools could not be read, so nothing about them was checked.',
  calls: 'No tool has been called yet.',
  apps: 'No page of an app has been read yet: call its tool.',
  versions: 'The server was not asked for an older version: `--protocol 2025-06-18` does.',
  lists: 'Not every list of the server was read.',
  metadata: 'The metadata of the sign-in was not asked for.',
  transport: 'Streamable HTTP was not tried.',
  file: 'It lists files: check the `server.json`.',
  otherFile: 'Such a file says nothing to this host: `registry` reads a `server.json`, `claude-directory` a bundle.',
  session: 'A file shows no tools, results or sign-in: check the server, too.',
  environment:
    'The server got variables of this shell that the host does not pass on: `--env minimal` shows whether it needs them.',
  sessions:
    'A request with an unknown session was not tried, or refused for another reason: `doctor --for` and `check --for` send it.',
  streams: 'No event stream was open long enough to see whether it is kept alive.',
  headers:
    'A request without `MCP-Protocol-Version` was not tried, or refused for another reason: `doctor --for` and `check --for` send it.',
} as const;

export type NotSeen = keyof typeof NOT_SEEN;

/** Advice for streams that are silent for long. */
export const KEEP_ALIVE =
  'Send a comment such as `: keep-alive` every 15 s. Proxies are less patient: nginx waits 60 s by default.';

/**
 * A session as a fact sees it: nothing is wrong, places that break it, what must happen first, or a question to the
 * server's author about what no frame shows.
 */
export type Sight =
  | 'holds'
  | readonly [ObstaclePlace, ...ObstaclePlace[]]
  | { readonly notSeen: NotSeen }
  | { readonly ask: string };

/** Looks for what breaks a fact. Pure, and cheap for a session without it. */
export type Look = (session: HostSession) => Sight;

/** Looks for what breaks a fact in a file of this kind. Pure, and bounded. */
export interface FileLook {
  readonly kind: DirectoryFile['kind'];
  /** False for a file that has nothing of this. Absent: every file has it. */
  readonly isAbout?: (file: DirectoryFile) => boolean;
  readonly find: (file: DirectoryFile) => readonly FilePlace[];
}

/** Something that hosts require of a server, or do to it, beyond the specification. */
export interface HostFact {
  /** Never changes, because people filter and accept by it. */
  readonly id: string;
  readonly hosts: readonly HostId[];
  /** Versions of the host, if only some do it. */
  readonly versions?: string;
  readonly stage: Stage;
  /** The habit of the host, as a sentence without its name. */
  readonly does: string;
  readonly loses: HostObstacle['loses'];
  /** Advice for the server's author. */
  readonly advice: string;
  /** The document, or the file with the commit that was read. */
  readonly source: string;
  /** The day of the source, or on which it was read if it has none, ISO 8601. */
  readonly on: string;
  readonly confidence: Confidence;
  /** Facts with the same cause are one obstacle: the first one counts. */
  readonly cause?: string;
  /** Absent: no session shows it. */
  readonly look?: Look;
  /** Absent: no file shows it. */
  readonly inFile?: FileLook;
  /** Set if every check warns about it. `also`: hosts that always use this one. */
  readonly limit?: LimitRule & { readonly also?: readonly HostId[] };
}

/** Returns a sight of these places; `holds` if there are none. */
export function brokenAt(places: readonly ObstaclePlace[]): Sight {
  const [first, ...rest] = places;
  return first ? [first, ...rest] : 'holds';
}
