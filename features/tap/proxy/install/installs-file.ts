import {
  type Checked,
  isObject,
  isText,
  isTextList,
  isTrue,
  listOf,
  objectWith,
  optional,
  own,
} from '@/lib/json/value';
import { SharedFile } from '@/proxy/files/shared-file';

/** A tap that was put into a config. */
const isInstall = objectWith({
  /** Id of the host. */
  host: isText,
  /** Path of the config without links. */
  path: isText,
  /** Names that lead to the entry. */
  entry: isTextList,
  /** Words of the tap, up to the `--` before those of the server. */
  ours: optional(isTextList),
  /** The entry had no list of arguments before. */
  withoutList: optional(isTrue),
  /** The text that was added to the config. Only for `mcp-inspect mcp`, which has no words of a tap. */
  added: optional(isText),
});
export type Install = Checked<typeof isInstall>;
const areInstalls = listOf(isInstall);

/** Installs that are remembered. The oldest are forgotten first. */
const MOST_INSTALLS = 1000;
const VERSION = 1;

/**
 * Remembers taps, in `installs.json` of the data folder. A tapped entry contains the server’s whole command, so this is
 * needed only to find configs in unusual places, to tell an empty list of arguments from none, and to know a tap whose
 * mcp-inspect was in a folder of another name.
 */
export class InstallsFile {
  readonly #file: SharedFile;

  /** `folder` is the folder of recordings. */
  constructor(folder: string) {
    this.#file = new SharedFile({
      folder,
      name: 'installs.json',
      code: 'installs',
      what: 'list of installed taps',
      mostBytes: 16 * 1024 * 1024,
    });
  }

  /** Rejects with ConnectionError `installs-unreadable`. */
  async read(): Promise<readonly Install[]> {
    return this.#content(await this.#file.read());
  }

  /** Adds some and removes others. Rejects with a ConnectionError. */
  change(added: readonly Install[], removed: readonly Install[] = []): Promise<void> {
    const gone = new Set([...added, ...removed].map(placeOf));
    return this.#file.change((before) => {
      const kept = this.#content(before).filter((one) => !gone.has(placeOf(one)));
      return { content: { version: VERSION, installs: [...kept, ...added].slice(-MOST_INSTALLS) }, result: undefined };
    });
  }

  #content(file: unknown): readonly Install[] {
    if (file === undefined) return [];
    const installs = isObject(file) && own(file, 'version') === VERSION ? own(file, 'installs') : undefined;
    if (!areInstalls(installs)) throw this.#file.refusal(file, VERSION);
    return installs;
  }
}

function placeOf({ path, entry }: Install): string {
  return JSON.stringify([path, entry]);
}
