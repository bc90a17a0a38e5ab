import type { Connection } from '@/lib/hub/connection';
import { framesFrom } from '@/lib/hub/frame-log';
import type { HubConnection } from '@/lib/hub/hub';
import type { Target } from '@/lib/wire/command';
import type { Failure, LifecycleEvent, ProtocolChoice } from '@/lib/wire/lifecycle';
import { ProxyHub } from '@/proxy/connection/hub';
import type { Launch } from '@/proxy/connection/launch';
import { quotedStart } from './stray-output';

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
    if (state === 'failed' || state === 'handshake-failed') void this.#printFailure(this.#starting);
    this.#starting = undefined;
  }

  /** Prints the failure, with the server’s last stderr line, as one line. */
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
    const lines = frames.filter(({ channel }) => channel === 'stderr').map(({ bytes }) => quotedStart(bytes));
    const stderr = lines.findLast((line) => line !== '');
    const said = stderr === undefined ? '' : ` Its last line on stderr: \`${stderr}\`.`;
    const sentence = `Could not connect to \`${summary.name}\`. ${failure.message}${said} ${failure.advice}`;
    this.#print(this.redactedText(sentence.replace(/\s+/g, ' ')));
  }
}

/** How many frames before the failure are searched for the last line on stderr. */
const SEARCHED_FRAMES = 100;
