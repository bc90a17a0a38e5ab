/** What the exit code of a subcommand says. A signal is 128 and its number. */
export const EXIT = {
  fine: 0,
  /** A protocol error, a tool's own error, an invalid result, or a question instead of a result. */
  serverError: 1,
  usage: 2,
  noConnection: 3,
  timeout: 5,
  /** mcp-inspect itself failed. */
  internal: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Thrown to end a subcommand with an exit code and a sentence for people. */
export class Stop extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, sentence: string) {
    super(sentence);
    this.name = 'Stop';
    this.exitCode = exitCode;
  }
}

/** The command line makes no sense: what is wrong, and what to do. */
export function usage(sentence: string): Stop {
  return new Stop(EXIT.usage, sentence);
}
