// A frame is one unit seen on the wire, with its exact bytes, numbered where it was tapped. The log of frames is the
// only state of a connection; everything shown is derived from it.

/** Receiver of the bytes: the server under inspection, or us, its client. */
export type Direction = 'to-server' | 'to-client';

/** The other direction, such as that of a request's response. */
export const OPPOSITE: Readonly<Record<Direction, Direction>> = { 'to-server': 'to-client', 'to-client': 'to-server' };

/** Order is the wire encoding (see batch.ts): append only. */
export const DIRECTIONS: readonly Direction[] = ['to-server', 'to-client'];

/**
 * Places where bytes are seen. `protocol` is stdin/stdout of a stdio server or an HTTP message body, `stderr` is the
 * server's standard error, `http` is status lines and headers, `lifecycle` holds our own {@link LifecycleEvent}s as
 * JSON, `model` holds the events of a chat with a model. `intercept` holds messages that were not passed on as they
 * were: with the bytes that their sender sent. `app` holds messages of MCP Apps, `otel` telemetry (lib/otel). Order is
 * the wire encoding (see batch.ts): append only.
 */
export const CHANNELS = ['protocol', 'stderr', 'http', 'lifecycle', 'app', 'model', 'otel', 'intercept'] as const;

declare const OTHER: unique symbol;
/** The name of a channel that this version does not know. Recordings of later versions may have such channels. */
type OtherChannel = string & { readonly [OTHER]: true };

/** Place where the bytes were seen. Any short name is possible, `__proto__` included, so look it up in Maps only. */
export type Channel = (typeof CHANNELS)[number] | OtherChannel;

/** Most characters of a channel's name. */
export const CHANNEL_CHARS = 64;
/** Visible ASCII except quote and backslash, so that a name is the same in JSON, UTF-8 and on the screen. */
const CHANNEL_NAME = new RegExp(`^[!#-[\\]-~]{1,${CHANNEL_CHARS}}$`);

/** Returns the channel with this name; undefined for anything that can't be a channel's name. */
export function toChannel(name: unknown): Channel | undefined {
  return typeof name === 'string' && CHANNEL_NAME.test(name) ? (name as OtherChannel) : undefined;
}

/** Bits of {@link Frame.flags}. */
export const FLAG = {
  /** No line feed ended these bytes: the last line at exit, or text that the user sent without one. */
  unterminated: 1,
  /**
   * The next frame of this channel and direction continues this line, which was longer than `LIMITS.frameBytes`. On
   * stderr, it was too long or came too slowly for one frame.
   */
  continued: 2,
} as const;

/** A message as a recording has it: without its long strings, which several messages may share. */
export interface CutMessage {
  /** JSON with empty strings in their places. */
  readonly text: Uint8Array;
  readonly strings: readonly CutString[];
  /** Bytes of the whole message. */
  readonly length: number;
}

/** A long string of a message. */
export interface CutString {
  /** Offset in the cut text, between two quotes. */
  readonly at: number;
  /** The characters between the quotes, as in the message. Messages with the same string have the same array. */
  readonly bytes: Uint8Array;
}

/** One unit on the wire. Immutable. */
export interface Frame {
  /** Number in its connection, from 1 and without gaps, given by the tap. */
  readonly seq: number;
  /** Monotonic microseconds since the connection began, taken at the tap. */
  readonly time: number;
  readonly direction: Direction;
  readonly channel: Channel;
  /** Bits of {@link FLAG}. */
  readonly flags: number;
  /** The exact bytes, without a line's terminating line feed but with a carriage return before it. */
  readonly bytes: Uint8Array;
  /** If some readers know how to do without `bytes`, which are then put together when they are read. */
  readonly cut?: CutMessage | undefined;
  /** If `bytes` are a skim (lib/recording/large), the byte length of the whole frame. */
  readonly skimOf?: number | undefined;
}
