import { EndedConnection } from '@/lib/hub/ended-connection';
import { appendEvent, FrameLog, framesFrom, Segment } from '@/lib/hub/frame-log';
import { RedactedLog } from '@/lib/hub/redacted-log';
import { ServerName } from '@/lib/hub/server-name';
import { hostInTitle, resolveUrl, type UrlLaunch } from '@/lib/hub/url-launch';
import type { BatchSource } from '@/lib/hub/viewer';
import { countMasks } from '@/lib/recording/decode-line';
import { renumberedNote } from '@/lib/recording/frame-numbers';
import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { ConnectionError } from '@/lib/transports/transport';
import { readProfile } from '@/lib/wire/client-profile';
import type { ConnectionSummary, RecordingProgress } from '@/lib/wire/command';
import { type ConnectionState, type LifecycleEvent, stateAfter } from '@/lib/wire/lifecycle';
import type { RestoredLog } from './log-keeper';

type Start = Extract<LifecycleEvent, { event: 'start'; url: string }>;

/** A connection of the page before its reload: the log that was kept, without secrets and without a server. */
export class RestoredConnection extends EndedConnection<UrlLaunch> {
  readonly id: string;
  readonly log = new FrameLog();
  /** The secrets were removed before the log was kept, and their values are forgotten. */
  override readonly redactor = new CaptureRedactor([]);
  readonly summary: ConnectionSummary;
  readonly refusal = {
    code: 'not-connected',
    message: 'This connection ended when the page was reloaded, so nothing can be sent.',
    advice: 'Restart the connection.',
  };
  /** Number of frames that were kept. Later frames were added after the reload. */
  readonly #kept: number;
  /** Number of frames once the end was added. */
  #restored = 0;
  /** How much higher the later frames' numbers are in the recording; undefined until that is known. */
  #by: number | undefined;
  readonly #start: Start;
  readonly #onGrown: (connection: RestoredConnection) => void;

  private constructor(
    id: string,
    start: Start,
    summary: ConnectionSummary,
    kept: number,
    onGrown: (connection: RestoredConnection) => void,
  ) {
    super();
    this.#kept = kept;
    this.id = id;
    this.#start = start;
    this.summary = summary;
    this.#onGrown = onGrown;
  }

  /**
   * Restores a connection, and adds the end that was not logged because the page was gone. Returns undefined if the log
   * has no start. `onGrown` is called when the log has new frames.
   */
  static of(
    { connection, laterRun, frames }: RestoredLog,
    onGrown: (connection: RestoredConnection) => void,
  ): RestoredConnection | undefined {
    const events = frames.filter(({ channel }) => channel === 'lifecycle').map(({ bytes }) => lifecycleEventOf(bytes));
    const start = events[0];
    if (start?.event !== 'start' || !('url' in start)) return undefined;
    const before = events.reduce<ConnectionState>(
      (state, event) => (event ? stateAfter(state, event) : state),
      'starting',
    );
    const ended = before === 'closed' || before === 'failed';
    const open = events.findLast((event) => event?.event === 'open');
    const { name, url: title, at: startedAt } = start;
    const found = events.some((event) => event?.event === 'fallback') ? 'sse' : 'http';
    const transport = open && start.transport === 'auto' ? found : start.transport;
    const serverName = ServerName.in(frames);
    const summary: ConnectionSummary = {
      id: connection,
      name,
      ...(name !== hostInTitle(title) && { named: true }),
      ...(serverName !== undefined && { serverName }),
      ...laterRun,
      transport,
      via: 'direct',
      title,
      state: ended ? before : 'closed',
      startedAt,
      ...(open?.event === 'open' && { era: open.era, version: open.version }),
    };
    const kept = new RestoredConnection(connection, start, summary, frames.length, onGrown);
    for (const { channel, direction, flags, time, bytes } of frames) {
      kept.log.append(channel, direction, flags, time, bytes, 0, bytes.length);
    }
    if (!ended) kept.#end();
    kept.#restored = kept.log.last;
    return kept;
  }

  /** Returns a launch that connects again. Throws ConnectionError `values-forgotten` if that needs secrets. */
  get launch(): UrlLaunch {
    const { transport, name, url, headerNames, protocol } = this.#start;
    if (headerNames.length > 0 || countMasks(url) > 0) {
      const what = headerNames.length > 0 ? `the values of ${headerNames.join(', ')}` : 'the masked parts of the URL';
      throw new ConnectionError({
        code: 'values-forgotten',
        message: `The page was reloaded, and ${what} were not kept.`,
        advice: 'Choose "Edit and connect again" and enter them.',
      });
    }
    return resolveUrl({ transport, name, url, profile: readProfile(this.#start) }, protocol, undefined);
  }

  /**
   * Returns the frames that the recording lacks, with their numbers in the recording. If the recording has more frames
   * than the page kept, the end is numbered after them, and the log says once that the recording has more. A recording
   * that has ended gets no second end.
   */
  toRecord({ frames, ended }: RecordingProgress): BatchSource {
    if (this.#by === undefined) {
      const has = ended ? this.#restored : this.#kept;
      const isUntouched = this.log.last === this.#restored;
      if (frames > has && isUntouched)
        this.logEvent({ event: 'spill-failed', message: moreRecorded(this.#kept, frames) });
      // A recording that has ended does not need the log's frame about the number of kept frames.
      const from = ended && isUntouched ? this.log.last : has;
      this.#by = ended ? frames - from : Math.max(0, frames - from);
    }
    const log = new RedactedLog(this.log, this.redactor);
    return this.#by === 0 ? log : new RenumberedLog(log, this.#kept, this.#by);
  }

  /** Adds a lifecycle frame to the log. */
  logEvent(event: LifecycleEvent): void {
    appendEvent(this.log, event);
    this.logGrew();
  }

  protected logGrew(): void {
    this.#onGrown(this);
  }

  #end(): void {
    appendEvent(this.log, { event: 'closing', reason: 'page-gone' });
    appendEvent(this.log, { event: 'closed' });
  }
}

function moreRecorded(kept: number, recorded: number): string {
  return `After its reload, the page still has the first ${kept} frames. Open the recording to see all ${recorded}.`;
}

/**
 * The frames of a log after `from`, with their numbers in a recording. Notes refer to those numbers too. Read from
 * `from + by + 1` on.
 */
class RenumberedLog implements BatchSource {
  readonly #log: BatchSource;
  readonly #from: number;
  readonly #by: number;

  /** Frames after `from` get numbers that are higher by `by`. */
  constructor(log: BatchSource, from: number, by: number) {
    this.#log = log;
    this.#from = from;
    this.#by = by;
  }

  get last(): number {
    return this.#log.last + this.#by;
  }

  segmentOf(n: number): Segment | Promise<Segment> {
    const seq = n - this.#by;
    const segment = this.#log.segmentOf(seq);
    return segment instanceof Promise ? segment.then((read) => this.#moved(read, seq)) : this.#moved(segment, seq);
  }

  #moved(segment: Segment, from: number): Segment {
    const to = (on: number) => (on > this.#from ? on + this.#by : on);
    return Segment.of(
      framesFrom(segment, from).map((frame) => ({
        ...frame,
        seq: frame.seq + this.#by,
        bytes: frame.channel === 'lifecycle' ? renumberedNote(frame.bytes, to)! : frame.bytes,
      })),
    );
  }
}
