import type { Connection } from '@/lib/hub/connection';
import { framesFrom } from '@/lib/hub/frame-log';
import type { HubConnection } from '@/lib/hub/hub';
import type { Target } from '@/lib/wire/command';
import type { Failure, LifecycleEvent, ProtocolChoice } from '@/lib/wire/lifecycle';
import { ProxyHub } from '@/proxy/connection/hub';
import type { Launch } from '@/proxy/connection/launch';

/** The hub of the page. It also prints in the terminal why the server of the command line failed to start. */
export class PageHub extends ProxyHub {
  readonly #print: (sentence: string) => void;
  /** The connection of the command line while it starts. */
  #starting: Connection<Launch> | undefined;

  constructor(print: (sentence: string) => void, options: ConstructorParameters<typeof ProxyHub>[0]) {
    super(options);
    this.#print = print;
  }

  /** Connects to the server of the command line. Throws ConnectionError. */
  connectFirst(target: Target, protocol: ProtocolChoice): Connection<Launch> {
    const connection = this.connect(target, protocol);
    this.#starting = connection;
    this.onChanged(connection);
    return connection;
  }

  protected override onChanged(connection: HubConnection<Launch>): void {
    super.onChanged(connection);
    if (!this.#starting || connection !== this.#starting) return;
    const { state } = this.#starting.server;
    if (state === 'starting') return;
    if (state === 'failed' || state === 'handshake-failed') this.#printFailure(this.#starting).catch(() => {});
    this.#starting = undefined;
  }

  /** Prints the failure as one line. It leaves out stderr, whose secrets only the whole stream reveals. */
  async #printFailure({ log, summary }: Connection<Launch>): Promise<void> {
    const segment = await log.segmentOf(log.last);
    const frames = framesFrom(segment, Math.max(segment.first, log.last - SEARCHED_FRAMES));
    const events = frames
      .filter(({ channel }) => channel === 'lifecycle')
      .map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as LifecycleEvent);
    const failure = events.findLast(({ event }) => event === 'failed' || event === 'handshake-failed') as
      | Failure
      | undefined;
    if (!failure) return;
    const sentence = `Could not connect to \`${summary.name}\`. ${failure.message} ${failure.advice}`;
    this.#print(this.redactedText(sentence.replace(/\s+/g, ' ')));
  }
}

/** How many of the newest frames are searched for the failure. */
const SEARCHED_FRAMES = 100;
