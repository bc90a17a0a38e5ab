import { dirname, join } from 'node:path';
import { isObject, type JsonObject } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { RetentionSettings } from '@/lib/wire/api';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { type Settings, type SettingsReply, settingsIn } from '@/lib/wire/settings';
import { readNow } from '@/proxy/files/existing-files';
import { SharedFile } from '@/proxy/files/shared-file';

const NAME = 'settings.json';
/** Bytes read of the file: more than all settings at their bounds have. */
const SETTINGS_BYTES = 4 * 1024 * 1024;

/** Members of the file: the page's settings, and the retention of recordings. */
type Members = Partial<Settings> & { readonly keep?: RetentionSettings };

/**
 * Returns the members of `settings.json`, which is beside the folder of recordings; none if it is missing. Throws
 * ConnectionError `settings-unreadable`.
 */
export function readSettingsFile(folder: string): JsonObject {
  const file = fileBeside(folder);
  let content: unknown;
  try {
    content = JSON.parse(readNow(file, ({ size, read }) => read(0, Math.min(size, SETTINGS_BYTES)).toString()));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
  }
  if (isObject(content)) return content;
  throw new ConnectionError(unreadable(folder));
}

function unreadable(folder: string): Failure {
  return {
    code: 'settings-unreadable',
    message: `Could not read the settings in \`${fileBeside(folder)}\`.`,
    advice: 'Repair that file or move it away. Until then the defaults apply.',
  };
}

/**
 * Sets members of `settings.json` and returns all of them. Other members are kept, and so is an invalid file. Rejects
 * with a ConnectionError.
 */
export function changeSettingsFile(folder: string, members: Members): Promise<JsonObject> {
  const file = new SharedFile({ folder, name: NAME, code: 'settings', what: 'settings', mostBytes: SETTINGS_BYTES });
  return file.change((before = {}) => {
    if (!isObject(before)) throw new ConnectionError(unreadable(folder));
    const content = { ...before, ...members };
    return { content, result: content };
  });
}

/** The settings of this user, as the page reads and changes them. */
export class SettingsFile {
  readonly #folder: string;

  /** `folder`: the folder of recordings. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the settings: the defaults, with a failure, if the file can't be read. */
  read(): SettingsReply {
    try {
      return this.#reply(readSettingsFile(this.#folder));
    } catch (error) {
      if (!isFailure(error)) throw error;
      const { code, message, advice } = error;
      return { ...this.#reply({}), failure: { code, message, advice } };
    }
  }

  /** Changes some settings and returns all of them. Rejects with a ConnectionError. */
  async change(change: Partial<Settings>): Promise<SettingsReply> {
    return this.#reply(await changeSettingsFile(this.#folder, change));
  }

  #reply(content: JsonObject): SettingsReply {
    return { settings: settingsIn(content), file: fileBeside(this.#folder) };
  }
}

function fileBeside(folder: string): string {
  return join(dirname(folder), NAME);
}
