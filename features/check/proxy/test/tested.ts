import type { JunitSuite } from '@/lib/ci/junit-xml';
import type { ExitCode } from '@/proxy/cli/exit-code';
import type { CommandAction } from '@/proxy/commands/headless/on-server';

/** The outcome of a pins file or a recording that was played. */
export interface Tested {
  readonly file: string;
  /** Name of its test suite. */
  readonly name: string;
  readonly code: ExitCode;
  /** For `--json`. */
  readonly json?: object;
  /** For `--report junit`. Absent: there was no connection. */
  readonly cases?: JunitSuite['cases'];
}

/** A file that is ready to be played on a server. */
export interface FileTest {
  /** Plays the file, and prints what differs unless JSON is asked for. */
  readonly play: CommandAction;
  /** The new file in which the session is recorded, in place of that of `--record`. */
  readonly record?: string;
  /** Returns the outcome, once the file was played; undefined if there was no connection. */
  tested(): Tested | undefined;
  /** Does what is left once the connection is closed. Rejects with an ExitError. */
  finish?(): Promise<void>;
}
