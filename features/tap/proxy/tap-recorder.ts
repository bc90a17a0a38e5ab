import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { secretsInVariables } from '@/lib/redact/launch-secrets';
import { systemClock } from '@/lib/wire/clock';
import { commandName } from '@/lib/wire/command-name';
import type { Direction } from '@/lib/wire/frame';
import type { LifecycleEvent, TapStart } from '@/lib/wire/lifecycle';
import { argumentSecrets } from '@/proxy/connection/masked-target';
import { StderrLines, StdioLineSplitter } from '@/proxy/connection/stdio-lines';
import type { ExportThread } from '@/proxy/otel/export-thread';
import { startInBackground } from '@/proxy/process/start-in-background';
import { RecordingUploads } from '@/proxy/recorder/recording-uploads';
import type { Missed } from './gaps';
import { SeenHandshake } from './handshake';
import type { LastRecords, TapSession } from './recording-thread';
import type { Passed } from './ring';
import { SessionFiles } from './session-files';

/**
 * Bytes of a line. A longer one is recorded in pieces, which are not a message: what passes after it, and the end of
 * the session, would wait for it too long.
 */
const LINE_BYTES = 16 * 1024 * 1024;

/**
 * Records a tapped session: cuts the bytes that have passed into lines, and writes these as a recording without
 * secrets. Runs on a thread of its own.
 */
export class TapRecorder {
  readonly #files: SessionFiles;
  readonly #handshake = new SeenHandshake();
  readonly #uploads: RecordingUploads | undefined;
  readonly #lines: Readonly<Record<Passed, StdioLineSplitter | StderrLines>>;

  /** Calls `onFailed` once, with a sentence, when nothing more is recorded. `exporter`: exports what is recorded. */
  constructor(session: TapSession, onFailed: (sentence: string) => void, exporter?: Pick<ExportThread, 'begin'>) {
    const { command, args, cwd, environment } = session;
    const secrets = [
      ...secretsInVariables(environment),
      ...argumentSecrets([command, ...args]),
      ...(session.secrets ?? []),
    ];
    const redactor = new CaptureRedactor(secrets);
    const feed = exporter?.begin({ seed: session.session }, secrets);
    const name = session.name ?? commandName({ command, args });
    const startEvent = (at: string, tap: TapStart): LifecycleEvent => ({
      event: 'start',
      at,
      name,
      transport: 'stdio',
      command,
      args,
      cwd,
      protocol: 'auto',
      environment: {
        policy: 'shell',
        inherited: Object.keys(environment).sort(),
        added: [],
        ...(session.telemetry && { telemetry: session.telemetry }),
      },
      tap,
    });
    this.#uploads = session.upload && new RecordingUploads(session.folder, session.upload, startInBackground);
    this.#uploads?.resume();
    const facts = { ...session, name, transport: 'stdio', startEvent, feed, uploads: this.#uploads } as const;
    const files = new SessionFiles(facts, redactor, onFailed);
    this.#files = files;
    const message = (direction: Direction) =>
      new StdioLineSplitter(LINE_BYTES, (source, start, end, flags, whole) => {
        files.append('protocol', direction, source, start, end, flags);
        if (whole) this.#readMessage(direction, source.subarray(start, end));
      });
    const changed = (direction: Direction) =>
      new StdioLineSplitter(LINE_BYTES, (source, start, end, flags) =>
        files.append('intercept', direction, source, start, end, flags),
      );
    this.#lines = {
      stdin: message('to-server'),
      stdout: message('to-client'),
      'changed-in': changed('to-server'),
      'changed-out': changed('to-client'),
      otel: new StdioLineSplitter(LINE_BYTES, (source, start, end, flags) =>
        files.append('otel', 'to-client', source, start, end, flags),
      ),
      // The end of a line that never comes is not waited for.
      stderr: new StderrLines(systemClock, (source, start, end, flags) =>
        files.append('stderr', 'to-client', source, start, end, flags),
      ),
    };
  }

  /**
   * Records bytes that have passed; don't change them. `time` is in µs since the start. Returns a promise if that takes
   * long. It never rejects, and calls `pause` in between.
   */
  onPassed(stream: Passed, time: number, chunk: Buffer, pause: () => Promise<void>): Promise<void> | undefined {
    this.#files.time = time;
    return this.#files.batch(() => this.#lines[stream].addChunk(chunk), pause);
  }

  /** Notes that messages passed while this thread was too busy to take them. What follows begins with a whole one. */
  onMissed({ stream, messages }: Missed): void {
    if (stream !== 'events') this.#lines[stream].end();
    this.logEvent({ event: 'missing', frames: messages, folded: true });
  }

  /** Adds an event of the session. `time` is in µs since the start; absent: that of the newest chunk. */
  logEvent(event: LifecycleEvent, time?: number): void {
    if (time !== undefined) this.#files.time = time;
    this.#files.logEvent(event);
  }

  /** Writes the rest and the end. Resolves when everything is on disk. Never rejects. */
  async end({ time, missed, events }: LastRecords): Promise<void> {
    this.#files.time = time;
    for (const gap of missed) this.onMissed(gap);
    for (const lines of Object.values(this.#lines)) lines.end();
    for (const event of events) this.logEvent(event);
    await this.#files.end();
    this.#uploads?.finish();
  }

  #readMessage(direction: Direction, bytes: Buffer): void {
    this.#files.keepFirst('protocol', direction, bytes);
    if (this.#handshake.isOver) return;
    const open = this.#handshake.readMessage(direction, bytes);
    if (open) this.logEvent(open);
  }
}
