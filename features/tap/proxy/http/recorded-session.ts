import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { HttpLogger } from '@/lib/transports/http-tap';
import { maskedUrl, secretsInUrl } from '@/lib/transports/masking';
import type { Direction } from '@/lib/wire/frame';
import type { LifecycleEvent, TapStart } from '@/lib/wire/lifecycle';
import type { ExportThread } from '@/proxy/otel/export-thread';
import type { OtlpSettings } from '@/proxy/otel/otlp-settings';
import type { RecordingUploads, UploadSettings } from '@/proxy/recorder/recording-uploads';
import { SeenHandshake } from '../handshake';
import { type FirstMessage, SessionFiles } from '../session-files';
import type { Found } from './sessions';

/** The facts of a tapped server that its recordings need. */
export interface HttpTapSession {
  /** Identifies the tap. The names of its sessions begin with it. */
  readonly tap: string;
  readonly version: string;
  /** Folder of recordings. */
  readonly folder: string;
  /** URL of the server. */
  readonly url: string;
  readonly name: string;
  readonly host?: string | undefined;
  /** Start of the tap, from which all times count; ISO 8601. */
  readonly at: string;
  readonly mostBytes: number;
  readonly mostMs: number;
  /** The receiver of its exchanges. */
  readonly otlp?: OtlpSettings | undefined;
  readonly upload?: UploadSettings | undefined;
}

/** How a session is recorded, and who gets a copy. */
interface HowToRecord {
  readonly uploads: RecordingUploads | undefined;
  /** Exports what is recorded. */
  readonly exporter: Pick<ExportThread, 'begin'> | undefined;
}

/** A session with its recording. */
export class RecordedSession implements Found {
  readonly name: string;
  readonly files: SessionFiles;
  readonly tap: HttpLogger;
  readonly #redactor: CaptureRedactor;
  readonly #handshake = new SeenHandshake();
  readonly #began: number;
  #exchanges = 0;
  #isResting = false;
  isOpen = false;
  hasEndpoint = false;

  constructor(
    tap: HttpTapSession,
    session: string,
    began: number,
    { uploads, exporter }: HowToRecord,
    onFailed: (sentence: string) => void,
  ) {
    this.name = session;
    this.#began = began;
    const secrets = secretsInUrl(tap.url);
    this.#redactor = new CaptureRedactor(secrets);
    const feed = exporter?.begin({ seed: session }, secrets);
    if (feed) this.#redactor.tell(feed);
    const at = new Date(Date.parse(tap.at) + began / 1000).toISOString();
    const { name } = tap;
    const startEvent = (begins: string, start: TapStart): LifecycleEvent => ({
      event: 'start',
      at: begins,
      name,
      transport: 'auto',
      url: maskedUrl(tap.url),
      headerNames: [],
      protocol: 'auto',
      tap: start,
    });
    this.files = new SessionFiles(
      { ...tap, at, session, transport: 'auto', waits: true, startEvent, feed, uploads },
      this.#redactor,
      onFailed,
    );
    this.tap = new HttpLogger(
      {
        appendFrame: (channel, direction, source, start, end, flags) => {
          this.#isResting = false;
          this.files.append(channel, direction, source, start, end, flags);
          this.files.keepFirst(channel, direction, source.subarray(start, end));
          return 0;
        },
        onSecrets: (values) => this.#redactor.addMaskedSecrets(values),
      },
      { url: tap.url, headers: [] },
    );
  }

  get isWriting(): boolean {
    return !this.#isResting;
  }

  nextExchange(): number {
    return ++this.#exchanges;
  }

  /** The time of what is logged next, in µs since the start of the tap. */
  set time(time: number) {
    this.files.time = time - this.#began;
  }

  batch(time: number, act: () => void, pause: () => Promise<void>): Promise<void> | undefined {
    this.time = time;
    return this.files.batch(act, pause);
  }

  addSecrets(values: readonly string[]): void {
    this.#redactor.addMaskedSecrets(values);
  }

  /** Begins the recording: what came before the first message does not make a session. `host`: the program. */
  begin(host?: string): void {
    this.files.begin(host);
  }

  /** Adds a message as its sender sent it, if its receiver did not get it so. */
  logOriginal(direction: Direction, bytes: Uint8Array): void {
    this.begin();
    this.files.append('intercept', direction, bytes, 0, bytes.length, 0);
  }

  /** The first messages, which tell of the session. */
  firstMessages(): readonly FirstMessage[] {
    return this.files.firstMessages();
  }

  logMessage(direction: Direction, source: Uint8Array, start = 0, end = source.length): void {
    this.begin();
    this.files.append('protocol', direction, source, start, end, 0);
    const bytes = source.subarray(start, end);
    this.files.keepFirst('protocol', direction, bytes);
    if (this.#handshake.isOver) return;
    const open = this.#handshake.readMessage(direction, bytes);
    if (!open) return;
    this.isOpen = true;
    this.files.logEvent(open);
  }

  rest(): void {
    this.#isResting = true;
    this.files.rest();
  }

  async end(): Promise<void> {
    if (!this.#isResting) this.files.logEvent({ event: 'closed' });
    await this.files.end();
  }
}
