import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { decodeLine } from '@/lib/recording/decode-line';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import { LineSplitter } from '@/lib/recording/line-splitter';
import { readHeader } from '@/lib/recording/read-header';
import type { TapStart } from '@/lib/wire/lifecycle';
import { linkedFolder } from '@/proxy/files/data-folder';
import { readNow } from '@/proxy/files/existing-files';
import { isAlive, isOwnProcess, PID_NAMESPACE } from '@/proxy/files/process-identity';
import { readFileName } from '@/proxy/recorder/file-names';
import { isBeingRecorded, RECORDING_GLANCE_BYTES } from '@/proxy/recorder/in-use';

/** A recording that a tap is writing. It is also how the tap announces itself. */
export interface RunningTap extends Pick<TapStart, 'host' | 'session' | 'part'> {
  readonly path: string;
  readonly pid: number;
  /** Namespace of that id; absent for older versions. */
  readonly space: string | undefined;
  /** Name of the server. */
  readonly name: string;
  /** When the recording was begun, in ISO 8601. */
  readonly at: string;
}

/** Lists the taps of this user that run on this machine, oldest first. Never throws. */
export function runningTaps(folder: string): readonly RunningTap[] {
  return new TapFinder(folder).findNew();
}

/** Finds taps that run. It opens each file of the folder once, and only those of running processes. */
export class TapFinder {
  readonly #folder: string;
  readonly #seen = new Set<string>();
  #hasLooked = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns true for the name of a file that may be a tap’s, and was not looked at yet. */
  mayBeNew(name: string): boolean {
    return !this.#seen.has(name) && readFileName(name) !== undefined;
  }

  /** Returns the taps that it has not returned yet, oldest first. Never throws. */
  findNew(): readonly RunningTap[] {
    const found: RunningTap[] = [];
    for (const name of this.#names()) {
      if (this.#seen.has(name)) continue;
      const { pid, space } = readFileName(name) ?? {};
      const path = join(this.#folder, name);
      // A further file of a tap can be full before anybody looks. Those that were full at the first look may be many.
      const isRecent = this.#hasLooked && pid !== undefined && isAlive(pid);
      const isForeign = pid === process.pid || (space === PID_NAMESPACE && !isOwnProcess(pid!));
      if (pid === undefined || isForeign || !(isRecent || isBeingRecorded(path))) {
        this.#seen.add(name);
        continue;
      }
      const tap = readTap(path);
      // The file may have been created a moment ago, and its first lines are not written yet.
      if (tap !== 'unfinished') this.#seen.add(name);
      if (typeof tap === 'object') found.push({ path, pid, space, ...tap });
    }
    this.#hasLooked = true;
    return found;
  }

  #names(): readonly string[] {
    try {
      return linkedFolder(this.#folder) ? [] : readdirSync(this.#folder).sort();
    } catch {
      return [];
    }
  }
}

/** Reads who tells of itself at the start of a file. */
function readTap(path: string): Omit<RunningTap, 'path' | 'pid' | 'space'> | 'unfinished' | undefined {
  try {
    const head = readNow(path, ({ read }) => read(0, RECORDING_GLANCE_BYTES));
    const [first, second] = [...new LineSplitter(RECORDING_GLANCE_BYTES).splitChunk(head)];
    if (!first) return 'unfinished';
    const { mode, name, at } = readHeader(first);
    if (mode !== 'tap') return undefined;
    if (!second) return 'unfinished';
    const line = decodeLine(second, RECORDING_VERSION);
    const start = line.is === 'frame' ? lifecycleEventOf(line.frame.bytes) : undefined;
    if (start?.event !== 'start' || !start.tap) return undefined;
    const { host, session, part } = start.tap;
    return { name, at, session, part, ...(host !== undefined && { host }) };
  } catch {
    return undefined;
  }
}
