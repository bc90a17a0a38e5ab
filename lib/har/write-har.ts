import type { Frame } from '@/lib/wire/frame';
import type { HttpFrame } from '@/lib/wire/http-frame';
import { readHttpFrame } from '@/lib/wire/read-http-frame';
import type { HarEntry } from './har';
import { HarDraft } from './har-draft';

/** What an archive tells besides its entries. */
interface HarAbout {
  /** ISO 8601: when the log began. */
  readonly at: string;
  /** Version of mcp-inspect. */
  readonly version: string;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * The HTTP exchanges of a log as an HTTP Archive 1.2, which browsers' tools and proxies open: JSON text. What is masked in the log
 * is masked in it. undefined if nothing went over HTTP.
 */
export async function writeHar(frames: AsyncIterable<Frame>, { at, version }: HarAbout): Promise<string | undefined> {
  const writer = new HarWriter();
  for await (const frame of frames) writer.add(frame);
  const entries = writer.entries(Date.parse(at) || 0);
  if (entries.length === 0) return undefined;
  return JSON.stringify(
    { log: { version: '1.2', creator: { name: 'mcp-inspect', version }, pages: [], entries } },
    null,
    1,
  );
}

/** Puts exchanges together from the frames that tell of them. */
class HarWriter {
  readonly #drafts: HarDraft[] = [];
  /** Exchange → the entry that it is at: a redirect begins another one. */
  readonly #open = new Map<number, HarDraft>();
  /** The http frame right before, which says how a message travelled. */
  #carrier: HttpFrame | undefined;

  add({ channel, direction, time, bytes }: Frame): void {
    const carrier = this.#carrier;
    this.#carrier = undefined;
    if (channel === 'protocol' && carrier) this.#carried(carrier, bytes, time);
    if (channel !== 'http') return;
    const frame = readHttpFrame(decoder.decode(bytes));
    if (frame) this.#told(frame, direction === 'to-server', time);
  }

  entries(start: number): HarEntry[] {
    return this.#drafts.map((draft) => draft.entry(start));
  }

  #told(frame: HttpFrame, ours: boolean, time: number): void {
    if (frame.kind === 'request') {
      const draft = new HarDraft(frame.method, frame.url, frame.headers, time);
      this.#drafts.push(draft);
      this.#open.set(frame.exchange, draft);
      this.#carrier = frame;
      return;
    }
    const draft = this.#open.get(frame.exchange);
    if (!draft) return;
    if (frame.kind === 'socket' && frame.address !== undefined) draft.connectedTo(frame.address);
    if (frame.kind === 'response') draft.responds(frame.status, frame.headers, time);
    if (frame.kind === 'end') draft.ends(frame.by === 'failure' ? (frame.message ?? '') : undefined, time);
    if (frame.kind === 'body') {
      const text = frame.text === undefined ? undefined : encoder.encode(frame.text);
      if (!text) this.#carrier = frame;
      else if (ours) draft.sends(text);
      else draft.answers(text, time);
    }
    if (frame.kind === 'sse') {
      if (frame.data === undefined && frame.comment === undefined && frame.retry === undefined) this.#carrier = frame;
      else draft.streams(blockOf(frame, frame.data), time);
    }
  }

  #carried(carrier: HttpFrame, bytes: Uint8Array, time: number): void {
    const draft = this.#open.get(carrier.exchange);
    if (carrier.kind === 'request') draft?.sends(bytes);
    if (carrier.kind === 'body') draft?.answers(bytes, time);
    if (carrier.kind === 'sse') draft?.streams(blockOf(carrier, decoder.decode(bytes)), time);
  }
}

/** As it stood in the stream, or might have: of line ends and the order of fields nothing is known. */
function blockOf({ event, id, retry, comment }: Extract<HttpFrame, { kind: 'sse' }>, data: string | undefined): string {
  const lines = [
    ...(comment === undefined ? [] : [`: ${comment}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(data === undefined ? [] : data.split('\n').map((line) => `data: ${line}`)),
  ];
  return `${lines.join('\n')}\n\n`;
}
