// Each request repeats the whole history, so the bodies of a long chat would fill hundreds of megabytes. A frame holds
// only the pieces of its body that no earlier frame has, and refers to the others. A piece is a whole message or tool.
import { BYTE, stringEnd } from '@/lib/json/scan';
import type { BodyPiece, ChatEvent } from './chat-frame';

/** Characters of the shortest piece that is worth a reference, and of the shortest body that is cut into pieces. */
const LEAST_PIECE = 100;
const LEAST_BODY = 2000;
/** Most pieces that are remembered, and most characters of them. Beyond, later bodies start again. */
const MOST_PIECES = 20_000;
const MOST_CHARS = 20_000_000;

type RequestEvent = ChatEvent & { readonly type: 'request' };

/** The pieces of the bodies in one log. */
export class BodyPieces {
  readonly #known = new Map<string, readonly [seq: number, piece: number]>();
  #chars = 0;

  /** Returns the event with pieces in place of its body, as soon as that saves something. */
  cut(event: RequestEvent): RequestEvent {
    const { body, ...rest } = event;
    if (body === undefined || body.length < LEAST_BODY || event.bytes !== undefined) return event;
    const pieces = splitBody(body).map((piece): BodyPiece => this.#known.get(piece) ?? piece);
    return pieces.length === 1 && typeof pieces[0] === 'string' ? event : { ...rest, pieces };
  }

  /** Remembers the new pieces of an event that is now the frame `seq`. */
  remember({ pieces = [] }: RequestEvent, seq: number): void {
    for (const [at, piece] of pieces.entries()) {
      if (typeof piece !== 'string' || piece.length < LEAST_PIECE) continue;
      if (this.#known.size >= MOST_PIECES || this.#chars + piece.length > MOST_CHARS) {
        this.#known.clear();
        this.#chars = 0;
      }
      // A copy: a part of a string keeps the whole one in memory.
      this.#known.set(JSON.parse(JSON.stringify(piece)) as string, [seq, at]);
      this.#chars += piece.length;
    }
  }
}

/** Returns the numbers of the frames that a request's body refers to. */
export function framesOfBody({ pieces = [] }: RequestEvent): readonly number[] {
  return [...new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece[0]])))];
}

/** Most characters of a body that is put together. A hostile recording may refer to a long piece many times. */
const MOST_BODY = 8_000_000;

/**
 * Returns the body of a request. `eventAt` returns the event of an earlier frame, or undefined if it is missing, as in
 * a part of a recording. A missing piece is what `missing` returns, by default a sentence in square brackets. Such a
 * sentence also stands for what goes beyond 8 million characters.
 */
export function requestBody(
  { body, pieces }: RequestEvent,
  eventAt: (seq: number) => ChatEvent | undefined,
  missing = (seq: number) => `[A part of message ${seq}, which is missing.]`,
): string {
  if (pieces === undefined) return body ?? '';
  const events = new Map<number, ChatEvent | undefined>();
  const textOf = (piece: BodyPiece): string => {
    if (typeof piece === 'string') return piece;
    const [seq, at] = piece;
    if (!events.has(seq)) events.set(seq, eventAt(seq));
    const event = events.get(seq);
    const found = event?.type === 'request' ? event.pieces?.[at] : undefined;
    return typeof found === 'string' ? found : missing(seq);
  };
  const texts: string[] = [];
  let left = MOST_BODY;
  for (const piece of pieces) {
    const text = textOf(piece);
    texts.push(text.slice(0, left));
    left -= text.length;
    if (left >= 0) continue;
    texts.push(`[The rest is left out: a body has ${MOST_BODY} characters at most.]`);
    break;
  }
  return texts.join('');
}

/** Splits a body around long texts of its top object, and around the items of the lists in it. */
function splitBody(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  let depth = 0;
  let start = -1;
  const cutAt = (end: number) => {
    if (start >= 0 && end - start >= LEAST_PIECE) {
      if (start > from) pieces.push(text.slice(from, start));
      pieces.push(text.slice(start, end));
      from = end;
    }
    start = -1;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BYTE.quote) {
      const end = stringEnd(text, at);
      if (end < 0) break;
      if (depth === 1) {
        start = at;
        cutAt(end);
      }
      at = end - 1;
    } else if (code === BYTE.openObject || code === BYTE.openArray) {
      if (depth === 2 && start < 0) start = at;
      depth++;
    } else if (code === BYTE.closeObject || code === BYTE.closeArray) {
      if (--depth === 2) cutAt(at + 1);
    }
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}
