/**
 * Control and format characters: they move the cursor, set a title, fill the clipboard or hide text. Joiners stay: emoji and
 * scripts need them.
 */
const CONTROLS = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text that came from outside, made fit for a terminal: control characters become U+FFFD. Linear time. */
export function plainText(text: string): string {
  return text.replace(CONTROLS, '\uFFFD');
}

/** How a piece of a line is drawn where colours are. What it means must be in the words too. */
export type Tone = 'bad' | 'good' | 'warn' | 'muted' | 'strong';

/** A piece of a line; a bare string has no tone. */
export type Piece = string | { readonly text: string; readonly tone: Tone };

/** One line for a terminal. */
export type Line = readonly Piece[];

/** Select Graphic Rendition (ECMA-48) on and off. */
const SGR: Readonly<Record<Tone, readonly [number, number]>> = {
  bad: [31, 39],
  good: [32, 39],
  warn: [33, 39],
  muted: [2, 22],
  strong: [1, 22],
};

/** Lines as text. The only control characters in it are ours: pieces may quote anybody, and stay on their line. */
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

/** Where a subcommand writes. stdout has results and nothing else; everything beside them goes to stderr. */
export interface Output {
  /** Exact results rather than text for people. */
  readonly json: boolean;
  /** Columns of the terminal; undefined when it is none. */
  readonly width: number | undefined;
  /** Text for people, with a line feed after it. */
  printText(text: string): void;
  /** The same, in colours where there are any. */
  printLines(lines: readonly Line[]): void;
  /** A result as it came, with a line feed after it. */
  printExact(text: string): void;
  /** One line or more beside the results; `source` says whose words they are. */
  printNote(source: string, text: string): void;
}

/** Output to this process's streams. */
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
          .map((line) => `${source} | ${line}\n`)
          .join(''),
      ),
  };
}

function forPeople(text: string): string {
  return plainText(text.replaceAll('\r\n', '\n'));
}

/** Milliseconds between two looks, which is also what has to go by before there is one. */
const EVERY_MS = 1000;
const CLEAR = '\r\u001b[K';

/** How far something is, on the last line of a terminal: from the second second on, and gone when it is done. `write` writes to the terminal. */
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
