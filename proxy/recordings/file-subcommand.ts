import type { ExitCode } from '../cli/exit-code';
import type { Line } from '../terminal/styled';
import type { FileRequest } from './file-request';

/** Where a subcommand on recordings runs. */
export interface FileRun {
  readonly request: FileRequest;
  /** Of mcp-inspect. */
  readonly version: string;
  /** Directory of the built bin. */
  readonly home: string;
  /** Writes lines for people to stdout. */
  say(text: string): void;
  /** The same, in colours where there are any. */
  print(lines: readonly Line[]): void;
  /** Writes a line beside the results, to stderr. */
  note(line: string): void;
  /** Shows a terminal how far something is, 0 to 1, that takes long. Absent: nobody wants to know. */
  readonly progress?: (share: number) => void;
}

/** What one word of the command line does with recordings. Throws Stop for what makes no sense, or can't be done. */
export type FileSubcommand = (run: FileRun) => Promise<ExitCode>;
