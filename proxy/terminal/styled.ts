import { plainText } from './plain-text';

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
