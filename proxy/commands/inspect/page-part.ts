import type { Connection } from '@/lib/hub/connection';
import type { EndedConnection } from '@/lib/hub/ended-connection';
import type { ParsedOptions } from '@/proxy/cli/grammar';
import type { CommandConfirmation } from '@/proxy/connection/command-confirmation';
import type { Launch } from '@/proxy/connection/launch';
import type { HttpRoute } from '@/proxy/http/routes';
import type { Recorder } from '@/proxy/recorder/recorder';
import type { PageHub } from './page-hub';

/** The services of the page's server for its parts. */
export interface PageCore {
  readonly hub: PageHub;
  readonly version: string;
  /** Folder of the installed program. */
  readonly home: string;
  readonly allowLinkLocal: boolean;
  /** Absent: nothing is recorded or kept. */
  readonly recorder: Recorder | undefined;
  /** Absent unless commands are confirmed in the terminal. */
  readonly confirmation: CommandConfirmation | undefined;
  printNote(sentence: string): void;
  /** The options of the command line, and the address whose recordings it lists. */
  readonly given: ParsedOptions;
  readonly listed: string | undefined;
}

/** The part of the page's server that serves one feature. */
export interface PagePart {
  readonly routes: readonly HttpRoute[];
  /** The tabs of Recordings that this run has. */
  readonly tabs?: readonly string[];
  /** Opens the recording of an address at least up to a frame. Resolves with the id of its connection. */
  openAt?(address: string, frame: number): Promise<string>;
  /** Returns a log of its own, which pages attach to, read and share like those of connections. It is not listed. */
  logOf?(id: string): EndedConnection<Launch> | undefined;
  /** Called when a question of a server begins or ends to wait for a person. */
  inboxChanged?(connection: Connection<Launch>): void;
  /**
   * Called with a run that a save started, once it is open. `first`: entry of the server of the command line, if there
   * is one. `signal` is aborted by the next save. Rejects for an error of mcp-inspect only.
   */
  afterSave?(run: Connection<Launch>, signal: AbortSignal, first: string | undefined): Promise<void>;
  /** Called once a connection is gone. */
  forgotten?(id: string): void;
  /** True while something runs that the end of the page would stop. */
  isRunning?(): boolean;
  /** Called once the given server is shown. */
  start?(): void;
  close(): Promise<void>;
}
