import { plainText } from './plain-text';
import { printLines } from './print-lines';
import type { Line } from './styled';

/** Where a subcommand writes. stdout has results and nothing else; everything beside them goes to stderr. */
export interface Output {
  /** Exact results rather than text for people. */
  readonly json: boolean;
  /** Columns of the terminal; undefined when it is none. */
  readonly width: number | undefined;
  /** Text for people, with a line feed after it. */
  say(text: string): void;
  /** The same, in colours where there are any. */
  print(lines: readonly Line[]): void;
  /** A result as it came, with a line feed after it. */
  exact(text: string): void;
  /** One line or more beside the results; `source` says whose words they are. */
  note(source: string, text: string): void;
}

/** Output to this process's streams. */
export function terminalOutput(json: boolean): Output {
  const { stdout, stderr } = process;
  return {
    json,
    width: stdout.isTTY ? stdout.columns : undefined,
    say: (text) => void stdout.write(`${forPeople(text)}\n`),
    print: printLines,
    exact: (text) => void stdout.write(`${text}\n`),
    note: (source, text) =>
      void stderr.write(
        forPeople(text)
          .split('\n')
          .map((line) => `${source} | ${line}\n`)
          .join(''),
      ),
  };
}

function forPeople(text: string): string {
  return plainText(text.replaceAll('\r\n', '\n'));
}
