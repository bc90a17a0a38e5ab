import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';
import type { RecordingSource } from '@/lib/hub/hub';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { openToRead } from '@/proxy/files/existing-files';
import { inflateOnThread, runningSha256 } from '@/proxy/files/native-codecs';
import { isAlive } from '@/proxy/files/process-identity';
import { SpillFile } from '@/proxy/files/spill-file';
import { removeStaleTapControls } from '@/proxy/files/tap-control-files';
import { isBeingRecorded, markShown } from '@/proxy/recorder/in-use';
import { RecordingAppender } from '@/proxy/recorder/recording-appender';
import { type RunningTap, TapFinder } from './find-taps';
import { TapRules } from './tap-rules';

/** How often the folder and the files are looked at, in ms. The system usually reports a change sooner. */
const LOOK_MS = 1000;
/** The same where the system reports nothing. */
const UNWATCHED_LOOK_MS = 100;
/** Bytes read at a time. */
const CHUNK_BYTES = 64 * 1024;

/** Finds the taps of this user as they start, and follows their recordings as they grow. Changes nothing of theirs. */
export class TapWatch {
  readonly #folder: string;
  readonly #finder: TapFinder;
  readonly #onTap: (tap: RunningTap, source: RecordingSource) => void;
  readonly #followed = new Map<string, Follower>();
  /** Rules of pages, by session. A session can have several files. */
  readonly #rules = new Map<string, TapRules>();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `onTap` gets each tap, oldest first, and a source of its recording that ends when the tap does. */
  constructor(folder: string, onTap: (tap: RunningTap, source: RecordingSource) => void) {
    this.#folder = folder;
    this.#finder = new TapFinder(folder);
    this.#onTap = onTap;
  }

  /** Finds the taps that run, and watches for more. */
  start(): void {
    removeStaleTapControls(this.#folder);
    this.#look();
  }

  /** Stops everything, and removes the rules that pages set. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#watcher?.close();
    for (const follower of this.#followed.values()) follower.stop();
    for (const rules of this.#rules.values()) rules.close();
  }

  #look(): void {
    this.#watcher ??= this.#watch();
    this.#find();
    for (const follower of this.#followed.values()) follower.wake();
    this.#timer = setTimeout(() => this.#look(), this.#watcher ? LOOK_MS : UNWATCHED_LOOK_MS).unref();
  }

  #find(): void {
    for (const tap of this.#finder.findNew()) {
      const name = basename(tap.path);
      const follower = new Follower(tap, () => this.#onStopped(name));
      this.#followed.set(name, follower);
      const rules = this.#rules.get(tap.session) ?? new TapRules(this.#folder, tap);
      this.#rules.set(tap.session, rules);
      const onClosed = (): void => {
        // Nobody could see or decide what the rules hold. Another file of the session may still be shown.
        if (!this.#isFollowed(tap)) rules.close();
      };
      this.#onTap(tap, { ...sourceOf(tap, follower, onClosed), rules });
    }
  }

  #onStopped(name: string): void {
    const tap = this.#followed.get(name)?.tap;
    this.#followed.delete(name);
    // While the tap runs, another file of the session may follow.
    if (tap && !this.#isFollowed(tap) && !isAlive(tap.pid)) this.#rules.delete(tap.session);
  }

  #isFollowed({ session }: RunningTap): boolean {
    return [...this.#followed.values()].some(({ tap }) => tap.session === session);
  }

  /** Returns undefined if the folder does not exist yet, or can't be watched. */
  #watch(): FSWatcher | undefined {
    try {
      const watcher = watch(this.#folder, (_event, name) => {
        const follower = this.#followed.get(name ?? '');
        if (follower) follower.wake();
        // Other recordings of this folder grow all the time.
        else if (name === null || this.#finder.mayBeNew(name)) this.#find();
      });
      watcher.on('error', () => {
        watcher.close();
        this.#watcher = undefined;
      });
      return watcher.unref();
    } catch {
      return undefined;
    }
  }
}

function sourceOf({ path, host, pid }: RunningTap, follower: Follower, onClosed: () => void): RecordingSource {
  const appender = new RecordingAppender(path);
  return {
    file: basename(path),
    tap: { ...(host !== undefined && { host }), live: true },
    tapRuns: () => isAlive(pid),
    bytes: () => follower.bytes(),
    reader: () => new RecordingReader(runningSha256()),
    add: (frame) => appender.appendFrames([frame]),
    inflate: inflateOnThread,
    openSpill: () => new SpillFile(),
    hold() {
      const release = markShown(path);
      return () => {
        follower.stop();
        release();
        onClosed();
      };
    },
  };
}

/** Reads a file that another process writes, until that process ends it or is gone. */
class Follower {
  readonly tap: RunningTap;
  readonly #path: string;
  readonly #onStopped: () => void;
  #wake = () => {};
  #isStopped = false;

  constructor(tap: RunningTap, onStopped: () => void) {
    this.tap = tap;
    this.#path = tap.path;
    this.#onStopped = onStopped;
  }

  /** Call this when the file may have changed. */
  wake(): void {
    this.#wake();
  }

  /** Ends the bytes. Idempotent. */
  stop(): void {
    this.#isStopped = true;
    this.#onStopped();
    this.#wake();
  }

  bytes(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const chunks = this.#chunks();
    return new ReadableStream(
      {
        async pull(controller) {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => this.stop(),
      },
      { highWaterMark: 0 },
    );
  }

  async *#chunks(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const file = await openToRead(this.#path);
    try {
      for (let at = 0; !this.#isStopped; ) {
        const changed = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        const bytes = new Uint8Array(CHUNK_BYTES);
        let { bytesRead } = await file.read(bytes, 0, bytes.length, at);
        if (bytesRead === 0 && !isBeingRecorded(this.#path)) {
          // The last bytes may have been written in between.
          ({ bytesRead } = await file.read(bytes, 0, bytes.length, at));
          if (bytesRead === 0) return;
        }
        at += bytesRead;
        if (bytesRead > 0) yield bytes.subarray(0, bytesRead);
        else await changed;
      }
    } finally {
      await file.close();
      this.stop();
    }
  }
}
