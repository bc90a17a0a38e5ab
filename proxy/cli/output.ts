/**
 * Control and format characters. They can move the cursor, set a title, fill the clipboard or hide text. Joiners
 * stay, since emoji and scripts need them.
 */
const CONTROLS = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Makes text from outside safe for a terminal: control characters become U+FFFD. Linear time. */
export function plainText(text: string): string {
  return text.replace(CONTROLS, '\uFFFD');
}

/** Style of a piece of text where colours are on. The words must carry the meaning alone. */
type Tone = 'bad' | 'good' | 'warn' | 'muted' | 'strong';

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
  process.stdout.write(`${styledText(lines, hasColours(process.stdout, process.env))}\n`);
}

/** Writes a line for people to stderr, beside the results. */
export function printNote(line: string): void {
  process.stderr.write(`${plainText(line)}\n`);
}

/** Output of a subcommand. Results go to stdout, everything else to stderr. */
export interface Output {
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
}

export function terminalOutput(json: boolean): Output {
  const { stdout, stderr } = process;
  return {
    json,
    width: stdout.isTTY ? stdout.columns : undefined,
    printText: (text) => void stdout.write(`${forPeople(text)}\n`),
    printLines: printLines,
    printExact: (text) => void stdout.write(`${text}\n`),
    printNote: (source, text) =>
      void stderr.write(
        forPeople(text)
          .split('\n')
          .map((line) => `${sourceMark(source)} ${line}\n`)
          .join(''),
      ),
  };
}

/** Our own notes look like our errors; quoted lines have a bar. */
export function sourceMark(source: string): string {
  return source === 'mcp-inspect' ? `${source}:` : `${source} |`;
}

function forPeople(text: string): string {
  return plainText(text.replaceAll('\r\n', '\n'));
}

/** Milliseconds before the first update, and between two updates. */
const EVERY_MS = 1000;
const CLEAR = '\r\u001b[K';

/** Shows progress on the last line of a terminal, after the first second, and clears it at the end. */
export function terminalProgress(write: (text: string) => void, now: () => number): (share: number) => void {
  let shown = now();
  let isThere = false;
  return (share) => {
    if (share >= 1) {
      if (isThere) write(CLEAR);
      isThere = false;
      shown = now();
    } else if (now() - shown >= EVERY_MS) {
      write(`${CLEAR}${Math.floor(share * 100)} %`);
      isThere = true;
      shown = now();
    }
  };
}
