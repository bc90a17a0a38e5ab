import type { Diagnosis } from '@/lib/doctor/diagnosis';
import { SERVES_HTTP } from '@/lib/doctor/silence';
import { Connection } from '@/lib/hub/connection';
import type { HubConnection, RecordingSource } from '@/lib/hub/hub';
import type { CloseReason } from '@/lib/mcp/live-connection';
import { entryOf, type Target } from '@/lib/wire/command';
import type { ProtocolChoice, TapStart } from '@/lib/wire/lifecycle';
import { ProxyHub } from '@/proxy/connection/hub';
import type { Launch } from '@/proxy/connection/launch';
import type { Reaper } from '@/proxy/process/reaper';
import type { ServerWatches, WatchOptions } from '@/proxy/watch/server-watches';

/** Re-run on save, as the process provides it. */
interface Watching {
  readonly reaper: Reaper;
  readonly allowLinkLocal: boolean;
  /** For the server of the command line. `on`: the terminal turned it on. */
  readonly given: WatchOptions & { readonly on: boolean };
  /** For tests: see KEPT_RUNS. */
  readonly keptRuns?: number;
  /** Called with a run that a save started. `first`: entry of the command line. Absent: there is nothing to do. */
  readonly afterSave?:
    | ((run: Connection<Launch>, signal: AbortSignal, first: string | undefined) => Promise<void>)
    | undefined;
  /** Rejects with a ConnectionError if a page may not turn it on for this server. Absent: it may for all. */
  confirm?(launch: Launch): Promise<void>;
}

/**
 * The hub of the page. It also prints in the terminal why the server of the command line failed to start, and why a
 * server ended by itself later.
 */
export class PageHub extends ProxyHub {
  readonly #print: (sentence: string) => void;
  /** The connection of the command line while it starts. */
  #starting: Connection<Launch> | undefined;
  /** Stops looking for the address that it printed. */
  #callOff = (): void => {};
  /** Connections that are open. */
  readonly #open = new Set<HubConnection<Launch>>();
  readonly #explained = new WeakSet<Connection<Launch>>();
  /** Functions that stop looking for changed sources. */
  readonly #noticing = new WeakMap<HubConnection<Launch>, () => void>();
  readonly #watching: Watching;
  /** Loaded when somebody turns on re-run on save. */
  #watches: Promise<ServerWatches> | undefined;
  #loadedWatches: ServerWatches | undefined;
  /** Ids of entries, by tapped session. */
  readonly #taps = new Map<string, string>();
  /** Id of the entry of the command line. */
  #firstEntry: string | undefined;

  constructor(
    print: (sentence: string) => void,
    options: ConstructorParameters<typeof ProxyHub>[0],
    watching: Watching,
  ) {
    super(options);
    this.#print = print;
    this.#watching = watching;
  }

  /** Connects to the server of the command line. Rejects with a ConnectionError. */
  async connectFirst(target: Target, protocol: ProtocolChoice): Promise<Connection<Launch>> {
    const connection = await this.connect(target, protocol);
    this.#starting = connection;
    this.#firstEntry = connection.id;
    this.onChanged(connection);
    if (this.#starting && connection.launch.transport === 'stdio') this.#watchOutput(connection);
    return connection;
  }

  /**
   * Says in the terminal that a process printed an HTTP address instead of answering, or an answer that can’t be read.
   * The page goes on waiting.
   */
  #watchOutput(connection: Connection<Launch>): void {
    this.#callOff = this.clock.after(OUTPUT_MS, () => {
      const look = async (): Promise<void> => {
        // Rejects while no address is printed.
        const isPrinted = await connection.lookFurther('printed').then(
          () => true,
          () => false,
        );
        if (this.#starting !== connection) return;
        const isNamed = await this.#printSilence(connection, isPrinted ? ADDRESS_CODES : BROKEN_CODES);
        if (!isPrinted && !isNamed && this.#starting === connection) this.#watchOutput(connection);
      };
      look().catch(() => {});
    });
  }

  /** Turns on re-run on save for the server of the command line. Rejects with a ConnectionError. */
  async watchFirst(): Promise<void> {
    if (this.#firstEntry !== undefined) await this.#turnOn(this.#firstEntry);
  }

  override async watch(id: string, on: boolean): Promise<void> {
    const { launch, summary } = this.live(id);
    const entry = entryOf(summary);
    if (!on) return this.#loadedWatches?.turnOff(entry);
    const isGiven = entry === this.#firstEntry && this.#watching.given.on;
    if (!isGiven) await this.#watching.confirm?.(launch);
    await this.#turnOn(entry);
  }

  async #turnOn(entry: string): Promise<void> {
    this.#watches ??= this.#loadWatches();
    const watches = await this.#watches;
    await watches.turnOn(entry, entry === this.#firstEntry ? this.#watching.given : { globs: [] });
  }

  async #loadWatches(): Promise<ServerWatches> {
    const { ServerWatches } = await import('@/proxy/watch/server-watches');
    const { reaper, allowLinkLocal, afterSave, keptRuns } = this.#watching;
    this.#loadedWatches = new ServerWatches({
      clock: this.clock,
      reaper,
      runs: (entry) => this.#runsOf(entry),
      restart: (id) => this.restart(id),
      forget: (run, bySave) => (bySave ? this.forgetWithRecording(run) : this.forget(run)),
      print: this.#print,
      keptRuns,
      ...(afterSave && { afterSave: (run, signal) => afterSave(run, signal, this.#firstEntry) }),
      allowLinkLocal,
    });
    return this.#loadedWatches;
  }

  /** Shows a tapped session. Further files of one session are runs of one entry. Never rejects. */
  async showTap({ session, part }: Pick<TapStart, 'session' | 'part'>, source: RecordingSource): Promise<void> {
    const entry = this.#taps.get(session);
    const laterRun = entry === undefined ? undefined : { entry, run: part };
    try {
      const { id } = await this.openRecording({ ...source, ...(laterRun && { laterRun }) });
      if (entry === undefined) this.#taps.set(session, id);
    } catch {
      // The tap ended before its recording had a frame.
    }
  }

  /** Returns the runs of an entry, oldest first, without those that only try another profile. */
  #runsOf(entry: string): readonly Connection<Launch>[] {
    return this.members.filter(
      (one): one is Connection<Launch> =>
        one instanceof Connection && entryOf(one.summary) === entry && one.summary.trial === undefined,
    );
  }

  override async close(connection: HubConnection<Launch>, reason: CloseReason): Promise<void> {
    const entry = entryOf(connection.summary);
    // Somebody who ends a server doesn't want the next save to start it.
    if (reason !== 'restart' && this.#runsOf(entry).at(-1) === connection) this.#loadedWatches?.turnOff(entry);
    await super.close(connection, reason);
  }

  protected override async onForgotten(connection: HubConnection<Launch>): Promise<void> {
    const entry = entryOf(connection.summary);
    if (this.#runsOf(entry).length === 0) this.#loadedWatches?.turnOff(entry);
    await super.onForgotten(connection);
  }

  override async shutdown(): Promise<void> {
    await Promise.all([super.shutdown(), this.#loadedWatches?.stop()]);
  }

  protected override onChanged(connection: HubConnection<Launch>): void {
    super.onChanged(connection);
    if (connection instanceof Connection) this.#loadedWatches?.onChanged(connection);
    const { state: now } = connection.summary;
    const isFailed = now === 'failed' || now === 'handshake-failed';
    if (isFailed && connection instanceof Connection && !this.#explained.has(connection)) {
      this.#explained.add(connection);
      this.#explain(connection).catch(() => {});
    }
    if (now === 'open') {
      if (!this.#open.has(connection) && connection instanceof Connection) this.#noticeChange(connection);
      this.#open.add(connection);
    } else if (this.#open.delete(connection) && now === 'failed' && connection instanceof Connection) {
      this.#printFailure(connection, FAILED_LATER).catch(() => {});
    }
    if (now !== 'open') this.#noticing.get(connection)?.();
    if (!this.#starting || connection !== this.#starting) return;
    const { state } = this.#starting.server;
    if (state === 'starting') return;
    if (state === 'failed' || state === 'handshake-failed') {
      this.#printFailure(this.#starting, 'Could not connect to').catch(() => {});
    }
    this.#starting = undefined;
    this.#callOff();
  }

  /** Has the page say that a source file of a server is newer than its process. */
  #noticeChange(connection: Connection<Launch>): void {
    const { launch, summary } = connection;
    if (launch.transport !== 'stdio') return;
    const notice = async (): Promise<void> => {
      const { noticeChange } = await import('@/proxy/watch/changed-source');
      if (!this.#open.has(connection)) return;
      const stop = noticeChange(launch, Date.parse(summary.startedAt), (name) => connection.showChangedSource(name));
      this.#noticing.set(connection, stop);
    };
    notice().catch(() => {});
  }

  /** Has the page show the doctor's explanation before it has the log. */
  async #explain(connection: Connection<Launch>): Promise<void> {
    // Loaded here because only a failure needs it.
    const { explainConnectionFailure } = await import('@/proxy/connection/failure-lines');
    const { adviceText, causeText } = await import('@/lib/doctor/diagnosis');
    const found = await explainConnectionFailure(connection);
    if (!found) return;
    const { code, diagnosis } = found;
    const message = this.redactedText(causeText(diagnosis));
    connection.explain({ code, message, advice: this.redactedText(adviceText(diagnosis)) });
  }

  /** Prints why a process that still runs has not answered, if that is one of `codes`. Returns true if it did. */
  async #printSilence(connection: Connection<Launch>, codes: ReadonlySet<string>): Promise<boolean> {
    const { explainConnectionFailure } = await import('@/proxy/connection/failure-lines');
    const found = await explainConnectionFailure(connection, SERVES_HTTP);
    if (!found || !codes.has(found.diagnosis.code)) return false;
    await this.#printDiagnosis(connection, SILENT, found.diagnosis);
    return true;
  }

  /** Prints the doctor's explanation as one line. */
  async #printFailure(connection: Connection<Launch>, what: string): Promise<void> {
    const { explainConnectionFailure } = await import('@/proxy/connection/failure-lines');
    const found = await explainConnectionFailure(connection);
    if (found) await this.#printDiagnosis(connection, what, found.diagnosis);
  }

  async #printDiagnosis(connection: Connection<Launch>, what: string, diagnosis: Diagnosis): Promise<void> {
    const { adviceText, causeText } = await import('@/lib/doctor/diagnosis');
    const begin = `${what} \`${connection.summary.name}\`${what === FAILED_LATER ? ' ended' : ''}.`;
    const sentence = `${begin} ${causeText(diagnosis)} ${adviceText(diagnosis)}`;
    this.#print(this.redactedText(sentence.replace(/\s+/g, ' ')));
  }
}

const FAILED_LATER = 'The connection to';
const SILENT = 'No MCP response yet from';

/** Milliseconds between two looks at what the first process printed. */
const OUTPUT_MS = 2000;
/** Code of the doctor about an answer that can’t be read. */
const BROKEN_CODES: ReadonlySet<string> = new Set(['answer-broken']);
/** Codes of the doctor about a printed address. */
const ADDRESS_CODES: ReadonlySet<string> = new Set(['serves-http', 'printed-url']);
