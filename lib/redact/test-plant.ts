import type { Channel, Direction, Frame } from '@/lib/wire/frame';

/** A planted secret, and the frames that hold it. Nothing shared may contain it. */
export interface Planted {
  /** The kind of place where it was planted. */
  readonly where: string;
  readonly secret: string;
  readonly frames: readonly Frame[];
  /** Found only by a review, as a suspicion. A recording keeps it. */
  readonly onlyShared?: true;
}

const encoder = new TextEncoder();

/** Makes a frame for tests that need only its bytes. */
export function plantedFrame(text: string, channel: Channel = 'protocol', direction: Direction = 'to-client'): Frame {
  return { seq: 1, time: 0, direction, channel, flags: 0, bytes: encoder.encode(text) };
}

/** A text of one frame, on a channel. */
export type Said = string | readonly [text: string, channel: Channel];
type Make = (secret: string) => string | readonly Said[];

/** `make` writes the frames around the secret. */
export function plant(where: string, make: Make, secret = fresh(), more: Pick<Planted, 'onlyShared'> = {}): Planted {
  const texts = make(secret);
  const frames = (typeof texts === 'string' ? [texts] : texts).map((text) =>
    typeof text === 'string' ? plantedFrame(text) : plantedFrame(...text),
  );
  return { where, secret, frames, ...more };
}

let made = 0;
const ALPHABET = 'aB3cD4eF5gH6jK7mN8pQ9rS2tU';

/** Returns a unique value of digits and letters of both cases, 10 to 40 characters long by default. */
export function fresh(length = 10 + ((made * 7) % 31)): string {
  made++;
  let text = '';
  for (let at = 0; text.length < length; at++)
    text += ALPHABET[(made * 31 + at * (7 + (made % 11)) + at * at) % ALPHABET.length];
  const end = `${made % 10}Z${String.fromCharCode(97 + (made % 26))}`;
  return `${text.slice(0, -3)}${end}`;
}

export const call = (args: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'run', arguments: args } });
export const result = (text: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, result: { content: [{ type: 'text', text }] } });
export const http = (frame: unknown): Said => [JSON.stringify({ exchange: 1, ...(frame as object) }), 'http'];
export const err = (text: string): Said => [text, 'stderr'];
/** Splits what a program prints into one frame per line. */
export const errLines = (text: string): readonly Said[] => text.split('\n').map(err);
