import { plainText } from './plain-text';
import { type Status, statusLine } from './status-line';

/** Style of a piece of text where colours are on. The words must carry the meaning alone. */
/** The meaning of a piece of text, which its colour shows. */
export type Tone = 'bad' | 'good' | 'warn' | 'muted' | 'strong';

/** A piece of a line, with or without a tone. */
export type Piece = string | { readonly text: string; readonly tone: Tone };

/** One line for a terminal. */
export type Line = readonly Piece[];

/** Select Graphic Rendition codes (ECMA-48), on and off. */
const SGR: Readonly<Record<Tone, readonly [number, number]>> = {
  bad: [31, 39],
  good: [32, 39],
  warn: [33, 39],
  muted: [2, 22],
  strong: [1, 22],
};

/** Formats lines. Pieces may quote a server, so line breaks and control characters in them are replaced. */
export function styledText(lines: readonly Line[], colours: boolean): string {
  return lines.map((line) => line.map((piece) => pieceText(piece, colours)).join('')).join('\n');
}

function pieceText(piece: Piece, colours: boolean): string {
  const text = plainText((typeof piece === 'string' ? piece : piece.text).replace(/[\r\n]+/g, ' '));
  if (!colours || typeof piece === 'string') return text;
  const [on, off] = SGR[piece.tone];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

/** True if a stream shows colours: a terminal whose owner wants them (https://no-color.org). */
export function hasColours(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
}

/** Writes lines to stdout. */
export function printLines(lines: readonly Line[]): void {
  statusLine.erase();
  process.stdout.write(`${styledText(lines, hasColours(process.stdout, process.env))}\n`);
}

/** Writes text for people to stdout. */
export function printText(text: string): void {
  statusLine.erase();
  process.stdout.write(`${plainText(text)}\n`);
}

/** Writes a line for people to stderr, beside the results. */
export function printNote(line: string): void {
  statusLine.erase();
  process.stderr.write(`${plainText(line)}\n`);
}

/** Output of a subcommand. Results go to stdout, everything else to stderr. */
export interface CommandOutput {
  /** Prints exact results instead of text for people. */
  readonly json: boolean;
  /** Columns of the terminal; undefined if stdout is not one. */
  readonly width: number | undefined;
  /** Prints text for people and a line feed. */
  printText(text: string): void;
  /** Prints lines, in colours where the terminal has them. */
  printLines(lines: readonly Line[]): void;
  /** Prints a result exactly as it came, and a line feed. */
  printExact(text: string): void;
  /** Prints lines to stderr; `source` says who wrote them. */
  printNote(source: string, text: string): void;
  readonly status: Status;
}

export function terminalOutput(json: boolean): CommandOutput {
  const { stdout } = process;
  return {
    json,
    width: stdout.isTTY ? stdout.columns : undefined,
    printText: (text) => printText(text.replaceAll('\r\n', '\n')),
    printLines,
    printExact(text) {
      statusLine.erase();
      stdout.write(`${text}\n`);
    },
    printNote: (source, text) =>
      printNote(
        text
          .split(/\r?\n/)
          .map((line) => `${sourceMark(source)} ${line}`)
          .join('\n'),
      ),
    status: statusLine,
  };
}

/** Our own notes look like our errors; quoted lines have a bar. */
export function sourceMark(source: string): string {
  return source === 'mcp-inspect' ? `${source}:` : `${source} |`;
}
