import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ConnectionError } from '@/lib/transports/transport';
import type { DiffLine, TapAction } from '@/lib/wire/api';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { maskedWords } from '@/proxy/connection/masked-target';
import { makeFolder } from '@/proxy/files/data-folder';
import { FileLock } from '@/proxy/files/file-lock';
import { backUp, replaceIfSame, whyNotReplace } from '@/proxy/files/host-config';
import { writeErrorReason } from '@/proxy/files/private-files';
import { readNamedFile } from '@/proxy/files/user-files';
import type { FoundServer } from '@/proxy/servers/discovery';
import type { Host } from '@/proxy/servers/hosts';
import { CONFIG_BYTES, formatOf } from '@/proxy/servers/parse-config';
import {
  isAgentServer,
  missingFile,
  type OwnProgram,
  readTap,
  restarted,
  startWords,
  type TapWords,
  tapWords,
} from '@/proxy/servers/tap-words';
import {
  type ConfigText,
  commandOf,
  type Edited,
  entryPath,
  readConfigText,
  retapEntry,
  tapEntry,
  untapEntry,
  withWords,
} from './edit-entry';
import { entryDiff } from './entry-diff';
import { type Install, InstallsFile } from './installs-file';
import { addOwn, keyIn, OWN_NAME, removeOwn } from './own-entry';

/** The change of one server’s entry. */
export interface EntryChange {
  readonly server: FoundServer;
  /** Secrets in it are masked. */
  readonly diff: readonly DiffLine[];
  /** Stands for exactly this change of this file. */
  readonly digest: string;
}

/** A server whose entry stays as it is. */
export interface Unchanged {
  readonly server: FoundServer;
  /** A sentence that says why. */
  readonly why: string;
  /** It already is as it was asked for. */
  readonly isDone?: true;
}

/** Changes of one config. */
export interface ConfigPlan {
  /** Path of the config without links. */
  readonly path: string;
  readonly changes: readonly EntryChange[];
  readonly unchanged: readonly Unchanged[];
}

/** A config that was changed. Without changes, there is no backup. */
export interface ConfigChanged extends ConfigPlan {
  /** Path of a copy of the config as it was. */
  readonly backup?: string;
}

/** The place of the entry of `mcp-inspect mcp`. */
export interface OwnPlace {
  readonly host: Host;
  readonly path: string;
  /** Names that lead to the servers. */
  readonly key: readonly string[];
}

export type OwnAction = 'add' | 'remove';

/** The change of one config for `mcp-inspect mcp`. */
export interface OwnPlan {
  /** Path of the config without links. */
  readonly path: string;
  readonly diff: readonly DiffLine[];
  /** Why nothing changes, as a sentence. */
  readonly why?: string;
  /** True if the config is already as wanted. */
  readonly isDone?: true;
}

interface PlannedOwn {
  readonly plan: OwnPlan;
  readonly after?: string;
  readonly note?: Install;
}

/** Steps of a change, in their order. */
export type ChangeStep = 'backup' | 'note' | 'replace' | 'rename' | 'forget';

interface InstallerOptions {
  /** Folder of recordings. Backups and the list of installs are beside it. */
  readonly folder: string;
  readonly program: OwnProgram;
  /** Further options of new taps. */
  readonly tapOptions?: readonly string[];
  /** Only this user may be able to change a config. undefined: anybody may. */
  readonly uid?: number | undefined;
  /** Called before each step of a change, for tests. */
  readonly onStep?: (step: ChangeStep) => void;
}

/** Attempts to change a config that another program keeps changing. */
const MOST_ATTEMPTS = 10;

/** Puts taps into configs of hosts, and takes them away. */
export class Installer {
  readonly #options: InstallerOptions;
  readonly #installs: InstallsFile;

  constructor(options: InstallerOptions) {
    this.#options = options;
    this.#installs = new InstallsFile(options.folder);
  }

  /** Returns what was put into configs. Rejects with a ConnectionError. */
  installs(): Promise<readonly Install[]> {
    return this.#installs.read();
  }

  /** Says what a change of these servers of one config would be. Rejects with a ConnectionError. */
  async plan(servers: readonly FoundServer[], action: TapAction): Promise<ConfigPlan> {
    return this.#plan(await this.#read(servers[0]!.path), servers, action);
  }

  /**
   * Changes these servers of one config. With `digests`, only if the changes are those. Rejects with a ConnectionError,
   * and then the config is as it was.
   */
  async change(
    servers: readonly FoundServer[],
    action: TapAction,
    digests?: readonly string[],
  ): Promise<ConfigChanged> {
    const { path } = servers[0]!;
    return this.#inLock(path, (lock) => this.#tryToChange(lock, servers, action, digests));
  }

  /** Says what adding or removing the entry of `mcp-inspect mcp` would be. Rejects with a ConnectionError. */
  async planOwn(place: OwnPlace, action: OwnAction): Promise<OwnPlan> {
    const { plan } = await this.#planOwn(await this.#read(place.path), place, action);
    return plan;
  }

  /** Adds or removes the entry of `mcp-inspect mcp`. Rejects with a ConnectionError; the config is then as it was. */
  changeOwn(place: OwnPlace, action: OwnAction): Promise<OwnPlan & { readonly backup?: string }> {
    return this.#inLock(place.path, async (lock) => {
      const config = await this.#read(place.path);
      const { plan, after, note } = await this.#planOwn(config, place, action);
      if (after === undefined || !note) return plan;
      const [added, removed] = action === 'add' ? [[note], []] : [[], [note]];
      const backup = await this.#write(lock, { ...config, after, added, removed });
      return backup === undefined ? undefined : { ...plan, backup };
    });
  }

  async #planOwn(read: ReadConfig, { host, key }: OwnPlace, action: OwnAction): Promise<PlannedOwn> {
    const entry = [...keyIn(read.config, key), OWN_NAME];
    const noted = noteOf(await this.#installs.read(), read.path, entry);
    const words = startWords(this.#options.program, ['mcp']);
    const edited =
      action === 'add'
        ? await addOwn(read.config, entry, host.id, words)
        : await removeOwn(read.config, entry, noted?.added);
    if ('wrong' in edited)
      return { plan: { path: read.path, diff: [], why: edited.wrong, ...(edited.isDone && { isDone: true }) } };
    const note = { host: host.id, path: read.path, entry, added: edited.added };
    return { plan: { path: read.path, diff: entryDiff(edited.parts) }, after: edited.config.text, note };
  }

  /** Works on a config that no other mcp-inspect changes, again if another program has changed it meanwhile. */
  async #inLock<T>(path: string, attempt: (lock: FileLock) => Promise<T | undefined>): Promise<T> {
    const { folder } = this.#options;
    let lock: FileLock | undefined;
    try {
      makeFolder(folder);
      lock = await FileLock.acquire(join(dirname(folder), 'host-configs'));
      if (!lock) throw new ConnectionError(BUSY);
      for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
        const changed = await attempt(lock);
        if (changed) return changed;
      }
      throw new ConnectionError(keepsChanging(path));
    } catch (error) {
      if (isFailure(error)) throw error;
      throw new ConnectionError({
        code: 'config-not-written',
        message: `Could not change \`${path}\`: ${writeErrorReason(error)}. The config is as it was.`,
        advice: 'Change its permissions or those of its folder, and try again.',
      });
    } finally {
      await lock?.release();
    }
  }

  /** Resolves with undefined if the config was changed by another program meanwhile. */
  async #tryToChange(
    lock: FileLock,
    servers: readonly FoundServer[],
    action: TapAction,
    digests: readonly string[] | undefined,
  ): Promise<ConfigChanged | undefined> {
    const config = await this.#read(servers[0]!.path);
    const { after, notes, ...plan } = await this.#plan(config, servers, action);
    if (digests && plan.changes.some(({ digest }) => !digests.includes(digest))) {
      throw new ConnectionError(changedSince(plan.path));
    }
    if (plan.changes.length === 0) return plan;
    const [added, removed] = action === 'tap' ? [notes, []] : [[], notes];
    const backup = await this.#write(lock, { ...config, after, added, removed });
    return backup === undefined ? undefined : { ...plan, backup };
  }

  /**
   * Replaces a config. Resolves with the path of the backup, or with undefined if the config was changed by another
   * program meanwhile.
   */
  async #write(
    lock: FileLock,
    {
      path,
      bytes,
      after,
      added,
      removed,
    }: ReadConfig & { after: string; added: readonly Install[]; removed: readonly Install[] },
  ): Promise<string | undefined> {
    const { folder, onStep } = this.#options;
    onStep?.('backup');
    const backup = backUp(folder, path, bytes, new Date());
    // Written before the change, and removed after it, so that no crash can leave a change that is not noted.
    onStep?.('note');
    if (added.length > 0) await this.#installs.change(added);
    onStep?.('replace');
    if (!(await lock.isHeld())) throw new ConnectionError(BUSY);
    const onWritten = () => onStep?.('rename');
    if (!replaceIfSame(path, bytes, Buffer.from(after), onWritten)) return undefined;
    onStep?.('forget');
    if (removed.length > 0) await this.#installs.change([], removed);
    return backup;
  }

  async #read(path: string): Promise<ReadConfig> {
    const format = formatOf(path);
    const read = await readNamedFile(path, { most: CONFIG_BYTES[format], uid: this.#options.uid });
    const { path: real, text, bytes, wrong } = read;
    if (text === undefined || !bytes) throw new ConnectionError(unusable(path, wrong ?? 'It does not exist.'));
    if (!bytes.equals(Buffer.from(text))) {
      throw new ConnectionError(unusable(path, 'It is not valid UTF-8. Save it as UTF-8.'));
    }
    const config = await readConfigText(text, format);
    const problem = 'wrong' in config ? config.wrong : whyNotReplace(real);
    if ('wrong' in config || problem !== undefined) throw new ConnectionError(unusable(path, problem!));
    return { path: real, bytes, config };
  }

  async #plan(read: ReadConfig, servers: readonly FoundServer[], action: TapAction): Promise<MadePlan> {
    const noted = await this.#installs.read();
    let { config } = read;
    const changes: EntryChange[] = [];
    const unchanged: Unchanged[] = [];
    const notes: Install[] = [];
    for (const server of servers) {
      const entry = entryPath(config, server.key, server.entry.name);
      const made = entry
        ? await this.#edit(config, server, entry, action, noteOf(noted, read.path, entry))
        : { wrong: 'The config no longer has this server.' };
      if ('wrong' in made) {
        unchanged.push({ server, why: made.wrong, ...(made.isDone && { isDone: true }) });
        continue;
      }
      const { edited, diff, ours, withoutList } = made;
      const digest = digestOf([read.path, entry, edited.parts]);
      changes.push({ server, diff, digest });
      const note = { host: server.host.id, path: read.path, entry: entry!, ours };
      notes.push(withoutList ? { ...note, withoutList } : note);
      config = edited.config;
    }
    return { path: read.path, changes, unchanged, notes, after: config.text };
  }

  async #edit(
    config: ConfigText,
    { host, entry: found }: FoundServer,
    entry: readonly string[],
    action: TapAction,
    note: Install | undefined,
  ): Promise<ShownEdit | NotEdited> {
    const { target, name } = found;
    if (isAgentServer(found)) return { wrong: 'It is mcp-inspect itself.' };
    if (target.transport !== 'stdio') return { wrong: BY_URL };
    const command = commandOf(config, entry);
    if ('wrong' in command) return command;
    const { words, hasList } = command;
    const tap = readTap(words, note?.ours);
    const withoutList = tap ? note?.withoutList === true : !hasList;
    if (action === 'untap') {
      if (!tap) return { wrong: note ? REPLACED : 'It is not tapped.', isDone: true };
      const untap = (text: ConfigText) => untapEntry(text, entry, withoutList, note?.ours);
      return shown(config, entry, tap, { edit: untap, ours: tap.ours, withoutList });
    }
    if (tap && missingFile(tap) === undefined) return { wrong: 'It is tapped already.', isDone: true };
    const server = tap?.server ?? words;
    const { program, tapOptions: options = [] } = this.#options;
    const wanted = tapWords(program, { host: host.id, name, server, options });
    if ('wrong' in wanted) return wanted;
    const ours = tap ? restarted(tap, wanted.words) : wanted.words;
    if (ours.some((word) => PLACEHOLDER.test(word))) return { wrong: NOT_LITERAL };
    const edit = (text: ConfigText) => (tap ? retapEntry(text, entry, ours, note?.ours) : tapEntry(text, entry, ours));
    return shown(config, entry, { ours: tap?.ours ?? [], server }, { edit, ours, withoutList });
  }
}

interface ReadConfig {
  /** Without links. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly config: ConfigText;
}

interface MadePlan extends ConfigPlan {
  readonly notes: readonly Install[];
  readonly after: string;
}

type Changed = Exclude<Edited, { readonly wrong: string }>;
interface NotEdited {
  readonly wrong: string;
  readonly isDone?: true;
}

/** How to change an entry. */
interface Editing {
  edit(config: ConfigText): Promise<Edited>;
  /** Words of the tap in question. */
  readonly ours: readonly string[];
  /** Without the tap, the entry has no list of arguments. */
  readonly withoutList: boolean;
}

interface ShownEdit extends Omit<Editing, 'edit'> {
  readonly edited: Changed;
  readonly diff: readonly DiffLine[];
}

/** Edits the config, and the same config with masked secrets for showing the change. */
async function shown(
  config: ConfigText,
  entry: readonly string[],
  { ours, server }: TapWords,
  { edit, ...editing }: Editing,
): Promise<ShownEdit | NotEdited> {
  const edited = await edit(config);
  if ('wrong' in edited) return edited;
  const masked = maskedWords(server);
  if (isDeepStrictEqual(masked, server)) return { ...editing, edited, diff: entryDiff(edited.parts) };
  const hidden = await withWords(config, entry, [...ours, ...masked]);
  const again = 'wrong' in hidden ? hidden : await edit(hidden);
  // Nobody can agree to a change that was not shown.
  return 'wrong' in again ? { wrong: UNSHOWN } : { ...editing, edited, diff: entryDiff(again.parts) };
}

function noteOf(noted: readonly Install[], path: string, entry: readonly string[]): Install | undefined {
  const place = JSON.stringify([path, entry]);
  return noted.find((one) => JSON.stringify([one.path, one.entry]) === place);
}

function digestOf(change: unknown): string {
  return createHash('sha256').update(JSON.stringify(change)).digest('hex');
}

/** A host could replace these in our words: `${NAME}`, `$NAME` in Gemini CLI, `{env:NAME}` in opencode. */
const PLACEHOLDER = /\$|\{(?:env|file):/;

const NOT_LITERAL = 'Its name, or the path of mcp-inspect, has a `$` that the host could replace. Rename it first.';
const REPLACED = 'It no longer starts the tap that mcp-inspect wrote, so it stays as it is.';
const UNSHOWN = 'It has secrets that can’t be masked to show the change, so it stays as it is. Edit it by hand.';
const BY_URL =
  'It is at a URL, so it has no command. Run `mcp-inspect tap --http URL`, and put the URL that it prints into the config.';

const BUSY: Failure = {
  code: 'configs-busy',
  message: 'Could not change the config: another mcp-inspect is changing one.',
  advice: 'Try again in a moment.',
};

function keepsChanging(path: string): Failure {
  return {
    code: 'config-keeps-changing',
    message: `Could not change \`${path}\`: another program changes it all the time.`,
    advice: 'Quit the host, and try again.',
  };
}

function changedSince(path: string): Failure {
  return {
    code: 'config-changed',
    message: `\`${path}\` has changed since the change was shown, so nothing was written.`,
    advice: 'Look at the change again.',
  };
}

function unusable(path: string, reason: string): Failure {
  return {
    code: 'config-unusable',
    message: `Can’t change the config \`${path}\`. ${reason}`,
    advice: 'Nothing was changed.',
  };
}
