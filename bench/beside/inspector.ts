import type { ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot } from '../inspected';
import type { Hand } from './hand';

/** Everyday tasks of a person with an inspector. */
export const TASKS = {
  result: 'start to result',
  nested: 'nested arguments',
  sampling: 'answer a sampling request',
  elicitation: 'fill in an elicitation',
  resource: 'read a resource',
  template: 'read a resource template',
  prompt: 'get a prompt',
  raw: 'see a call’s raw request and response',
  error: 'see the error of a call',
  notifications: 'see the server’s notifications',
  level: 'set the log level',
  roots: 'add a root',
  message: 'send a ping',
  reconnect: 'connect to the server of yesterday',
  second: 'connect a second server',
  share: 'save the session to a file',
  find: 'find a call by its arguments among 5,000 messages',
} as const;

export type TaskId = keyof typeof TASKS;

/** Command lines of the servers. `flood` has the tools `note` and `burst_5000`. */
export type Servers = Readonly<Record<'everything' | 'filesystem' | 'flood', readonly string[]>>;

export interface Task {
  readonly server: keyof Servers;
  /** The server is one of yesterday, not one of the command line. */
  readonly isRemembered?: boolean;
  /** Brings the page to where the task begins. Not counted. */
  prepare(hand: Hand): Promise<void>;
  /** Ends when the goal is seen. */
  carryOut(hand: Hand): Promise<void>;
}

/** An inspector with a page. */
export interface Inspector {
  readonly name: string;
  /** Returns true for the name of a control that is a row of the list of tools. */
  readonly isRow?: (name: string) => boolean;
  /** Starts it with the command line of a server, or without one. It prints the URL of its page. */
  start(home: string, server?: readonly string[]): ChildProcess;
  /** Leaves `home` as it is a day after the person has connected to the server. */
  remember(home: string, server: readonly string[]): void | Promise<void>;
  /** undefined: the inspector can't do it. */
  readonly tasks: { readonly [T in TaskId]: Task | undefined };
}

/** The root to add. */
export const ROOT_URI = 'file:///tmp';

/** Text in the arguments of the call to be found. */
export const NEEDLE = 'needle-4711';

/** Arguments of `edit_file` in server-filesystem. */
export const EDIT = { oldText: 'one', newText: 'two' };
/** Folder of server-filesystem, and the file in it that has the old text. */
export const FOLDER = join(tmpdir(), 'mcp-inspect-beside');
export const EDITED = join(FOLDER, 'notes.txt');

/** Returns the command line of an official server. */
export const real = (name: string) => [
  process.execPath,
  fromRoot('e2e/servers/node_modules/@modelcontextprotocol', name, 'dist/index.js'),
];
/** Command line of the second server. */
export const SECOND = [...real('server-filesystem'), FOLDER];
