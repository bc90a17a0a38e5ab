import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { runningTaps } from '@/features/tap/proxy/find-taps';
import type { RecordingEntry } from '@/lib/wire/api';
import { linkedFolder } from '@/proxy/files/data-folder';
import { isBeingRecorded } from '@/proxy/recorder/in-use';
import { listRecordings, readRecordingEntry } from '@/proxy/recorder/list-recordings';
import { AgentRecording } from './agent-recording';
import { ToolError } from './tool-error';

/** A recording that the tools may read. */
export interface RecordedSource {
  /** Its name in answers, unique among all. */
  readonly name: string;
  readonly path: string;
  readonly entry: RecordingEntry;
  /** Set for a tap: the host that uses the server, '' if it is not known. */
  readonly host?: string;
}

/** Recordings that stay open. The one used longest ago is closed first. Each holds up to 64 MB of frames. */
const MOST_OPEN = 4;
/** Most files that a folder of the command line contributes. */
const MOST_LISTED = 500;
/** Characters of a name. Those that mcp-inspect gives have up to 85. */
const NAME_CHARS = 90;
/** Names listed in an error about an unknown one. */
const MOST_SUGGESTED = 5;

/** The recordings that the tools may read: those of mcp-inspect, and those that the command line names. */
export class RecordedSources {
  readonly #folder: string;
  readonly #named: readonly string[];
  readonly #open = new Map<string, { readonly recording: AgentRecording; readonly ino: number; size: number }>();

  /** `folder`: of the recordings that mcp-inspect keeps. `named`: further files and folders. */
  constructor(folder: string, named: readonly string[]) {
    this.#folder = folder;
    this.#named = named.map((path) => resolve(path));
  }

  /** Lists the recordings: live ones first, then named ones, then by age. Leaves out files that can't be read. */
  async list(): Promise<readonly RecordedSource[]> {
    const named = (await Promise.all(this.#named.map(entriesAt))).flat();
    const kept = linkedFolder(this.#folder) ? [] : (await listRecordings(this.#folder, MOST_LISTED)).recordings;
    const paths = new Set(named.map(({ path }) => path));
    const others = inFolder(this.#folder, kept).filter(({ path }) => !paths.has(path));
    const all = [...named, ...others];
    const hosts = new Map(runningTaps(this.#folder).map(({ path, host = '' }) => [path, host]));
    const names = new Set<string>();
    const ordered = all.toSorted((one, other) => Number(other.entry.live) - Number(one.entry.live));
    return ordered.map(({ path, entry }) => {
      const host = hosts.get(path);
      return { name: uniqueName(path, names), path, entry, ...(host !== undefined && { host }) };
    });
  }

  /**
   * Finds a recording by its name or a part of it. Without a name, finds the first of the list. Throws a ToolError that
   * says which there are.
   */
  async find(name: string | undefined): Promise<RecordedSource> {
    const all = await this.list();
    if (all.length === 0) throw new ToolError(NONE);
    if (name === undefined || name === '') return all[0]!;
    const exact = all.filter((one) => one.name === name || one.entry.id === name);
    const found = exact.length > 0 ? exact : all.filter((one) => one.name.includes(name));
    if (found.length === 1) return found[0]!;
    const some = (found.length > 0 ? found : all).slice(0, MOST_SUGGESTED).map((one) => one.name);
    const what = found.length > 0 ? `${found.length} recordings match` : 'No recording has the name';
    throw new ToolError(`${what} \`${name.slice(0, 200)}\`. Use one of: ${some.join(', ')}. list_recordings has all.`);
  }

  /** Opens a recording, or the one that is open already. It may not be read yet. */
  async open({ path }: RecordedSource): Promise<AgentRecording> {
    const { ino, size } = await stat(path);
    const known = this.#open.get(path);
    // A file that was complete has changed if it has another size now.
    const isSame = known && known.ino === ino && (known.recording.isWhole ? known.size === size : known.size <= size);
    if (known && !isSame) await this.#close(path);
    const kept = isSame ? known : { recording: new AgentRecording(path, () => isBeingRecorded(path)), ino, size };
    kept.size = size;
    this.#open.delete(path);
    this.#open.set(path, kept);
    for (const old of [...this.#open.keys()].slice(0, -MOST_OPEN)) await this.#close(old);
    return kept.recording;
  }

  async close(): Promise<void> {
    for (const path of [...this.#open.keys()]) await this.#close(path);
  }

  async #close(path: string): Promise<void> {
    const { recording } = this.#open.get(path)!;
    this.#open.delete(path);
    await recording.close();
  }
}

const NONE =
  'There are no recordings yet. Recordings come from the page of mcp-inspect, from `mcp-inspect tap` in the config of a host, and from the option --record of subcommands.';

/** Returns the recordings at a path of the command line: a file, or those in a folder. */
async function entriesAt(path: string): Promise<readonly Pick<RecordedSource, 'path' | 'entry'>[]> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) {
      return inFolder(real, (await listRecordings(real, MOST_LISTED)).recordings);
    }
    const entry = await readRecordingEntry(dirname(real), basename(real));
    return entry ? [{ path: real, entry }] : [];
  } catch {
    return [];
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function inFolder(folder: string, entries: readonly RecordingEntry[]) {
  return entries.filter(({ unreadable }) => !unreadable).map((entry) => ({ path: join(folder, entry.id), entry }));
}

/** Returns the file's name without its ending, with a number if it is taken. Others can have named the file. */
function uniqueName(path: string, names: Set<string>): string {
  const whole = basename(path).replace(/\.(?:mcpr\.jsonl|mcpr\.gz|jsonl|har)$/, '');
  // It stands outside the brackets of untrusted text, so it must not read as a sentence.
  const word = whole.replace(/[^\p{L}\p{N}._~@+-]/gu, '_');
  const stem = word.length <= NAME_CHARS ? word : `${word.slice(0, NAME_CHARS - 9)}~${digestOf(whole)}`;
  let name = stem;
  for (let number = 2; names.has(name); number++) name = `${stem}~${number}`;
  names.add(name);
  return name;
}
