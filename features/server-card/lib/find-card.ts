import type { Log } from '@/lib/store/log';
import { headerOf, mediaType } from '@/lib/transports/http-link';
import { type HttpFrame, readHttpFrame, type ShownHeaders } from '@/lib/wire/http-frame';

/** The newest request for a Server Card in a log, and its answer as far as it came. */
export interface CardAnswer {
  /** seqs of the request and of the newest frame of its exchange. */
  readonly seqs: readonly [request: number, last: number];
  readonly url: string;
  readonly status?: number;
  readonly headers: ShownHeaders;
  /** The body; cut if it is longer than 64 KB. */
  readonly text?: string;
  readonly isCut: boolean;
  /** Why there is no answer, or a refusal. */
  readonly failure?: string;
  /** False while the answer may still come. */
  readonly isOver: boolean;
}

/** Frames after the request in which its answer is looked for. */
const MOST_FRAMES = 500;

/** Finds the newest answer. undefined if nobody asked, or the frame is no longer in the page. */
export function findCard(log: Log): CardAnswer | undefined {
  const first = log.state.http.cardSeq;
  if (first === undefined) return undefined;
  const request = frameAt(log, first);
  if (request?.kind !== 'request') return undefined;
  let found: CardAnswer = { seqs: [first, first], url: request.url, headers: [], isCut: false, isOver: false };
  const end = Math.min(log.size, first + MOST_FRAMES);
  for (let seq = first + 1; seq <= end; seq++) {
    if (log.columns.kind(seq - 1) !== 'http') continue;
    const frame = frameAt(log, seq);
    if (frame?.exchange !== request.exchange) continue;
    found = { ...found, ...factsOf(frame), seqs: [first, seq] };
    if (found.isOver) break;
  }
  return found;
}

function frameAt(log: Log, seq: number): HttpFrame | undefined {
  return log.hasBytes(seq) ? readHttpFrame(log.text(seq - 1)) : undefined;
}

function factsOf(frame: HttpFrame): Partial<CardAnswer> {
  if (frame.kind === 'response') return { status: frame.status, headers: frame.headers };
  if (frame.kind === 'body') {
    const text = frame.text ?? '';
    return { text, isCut: new TextEncoder().encode(text).length < frame.bytes, isOver: true };
  }
  if (frame.kind !== 'end') return {};
  return { isOver: true, ...(frame.message !== undefined && { failure: frame.message }) };
}

/** Returns the header of an answer. */
export function cardHeader({ headers }: CardAnswer, name: string): string | undefined {
  return headerOf(headers, name);
}

export function typeOf({ headers }: CardAnswer): string {
  return mediaType(headers) ?? '';
}

/** Parses the card. undefined if the answer is cut or not JSON. */
export function cardIn({ text, isCut }: CardAnswer): unknown {
  if (text === undefined || isCut) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
