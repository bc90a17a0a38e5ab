import { Connection } from '@/lib/hub/connection';
import { framesFrom } from '@/lib/hub/frame-log';
import type { HubConnection } from '@/lib/hub/hub';
import { classify } from '@/lib/store/classify';
import { crashLine } from '@/lib/store/rows/error-line';
import type { Target } from '@/lib/wire/command';
import { withoutAnsi } from '@/lib/wire/control-characters';
import type { Frame } from '@/lib/wire/frame';
import type { Failure, LifecycleEvent, ProtocolChoice } from '@/lib/wire/lifecycle';
import { ProxyHub } from '@/proxy/connection/hub';
import type { Launch } from '@/proxy/connection/launch';

/**
 * The hub of the page. It also prints in the terminal why the server of the command line failed to start, and why a
 * server ended by itself later.
 */
export class PageHub extends ProxyHub {
  readonly #print: (sentence: string) => void;
  /** The connection of the command line while it starts. */
  #starting: Connection<Launch> | undefined;
  /** Connections that are open. */
  readonly #open = new Set<HubConnection<Launch>>();

  constructor(print: (sentence: string) => void, options: ConstructorParameters<typeof ProxyHub>[0]) {
    super(options);
    this.#print = print;
  }

  /** Connects to the server of the command line. Rejects with a ConnectionError. */
  async connectFirst(target: Target, protocol: ProtocolChoice): Promise<Connection<Launch>> {
    const connection = await this.connect(target, protocol);
    this.#starting = connection;
    this.onChanged(connection);
    return connection;
  }

  protected override onChanged(connection: HubConnection<Launch>): void {
    super.onChanged(connection);
    const { state: now } = connection.summary;
    if (now === 'open') this.#open.add(connection);
    else if (this.#open.delete(connection) && now === 'failed' && connection instanceof Connection) {
      this.#printFailure(connection, FAILED_LATER).catch(() => {});
    }
    if (!this.#starting || connection !== this.#starting) return;
    const { state } = this.#starting.server;
    if (state === 'starting') return;
    if (state === 'failed' || state === 'handshake-failed') {
      this.#printFailure(this.#starting, 'Could not connect to').catch(() => {});
    }
    this.#starting = undefined;
  }

  /** Prints the failure as one line, with the line of stderr that explains it. */
  async #printFailure({ log, summary }: Connection<Launch>, what: string): Promise<void> {
    const segment = await log.segmentOf(log.last);
    const frames = framesFrom(segment, Math.max(segment.first, log.last - SEARCHED_FRAMES));
    const events = frames
      .filter(({ channel }) => channel === 'lifecycle')
      .map(({ bytes }) => JSON.parse(textOf(bytes)) as LifecycleEvent);
    const failure = events.findLast(({ event }) => event === 'failed' || event === 'handshake-failed') as
      | Failure
      | undefined;
    if (!failure) return;
    const line = stderrLine(frames);
    const begin = `${what} \`${summary.name}\`${what === FAILED_LATER ? ' ended' : ''}. ${failure.message}`;
    const sentence = line === '' ? `${begin} ${failure.advice}` : `${begin} On stderr: \`${line}\`.`;
    this.#print(this.redactedText(sentence.replace(/\s+/g, ' ')));
  }
}

const FAILED_LATER = 'The connection to';

/** Returns the line of the newest process's stderr that best explains its end, after the last response if possible. */
function stderrLine(frames: readonly Frame[]): string {
  const since = frames.findLastIndex(({ channel, bytes }) => channel === 'lifecycle' && isSpawn(textOf(bytes)));
  const settled = frames.findLastIndex(
    ({ channel, direction, bytes }) =>
      channel === 'protocol' && direction === 'to-client' && RESPONSES.has(classify(bytes).kind),
  );
  const lines = (from: number) => frames.slice(from + 1).filter(({ channel }) => channel === 'stderr');
  const quoted = ({ bytes }: Frame) => withoutAnsi(textOf(bytes));
  return (crashLine(lines(Math.max(since, settled)), quoted) || crashLine(lines(since), quoted)).slice(0, QUOTED_CHARS);
}

const RESPONSES: ReadonlySet<string> = new Set(['response', 'error']);

function isSpawn(text: string): boolean {
  return text.startsWith('{"event":"spawned"');
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

/** How many of the newest frames are searched for the failure. */
const SEARCHED_FRAMES = 100;
/** Characters quoted from a line of stderr. */
const QUOTED_CHARS = 300;
