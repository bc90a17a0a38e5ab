import { stat } from 'node:fs/promises';
import { PIN_PARAMS_CHARS, type PinEntry, type PinsReply } from '@/features/check/lib/pins/pins-api';
import { type Pin, PinsError, pinKeys, readPins, targetOf, writePins } from '@/features/check/lib/pins/pins-file';
import { pinVariables } from '@/features/check/lib/pins/play-pins';
import { ConnectionError } from '@/lib/transports/transport';
import { docsUrl } from '@/lib/wire/docs-url';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { decideForWritten } from '@/proxy/files/decisions';
import { sha256Of } from '@/proxy/files/native-codecs';
import { replaceFile, writeErrorReason, writeNewFile } from '@/proxy/files/private-files';
import { readNamedFile } from '@/proxy/files/user-files';
import { digestOf, shortDigest } from './digests';

/** Most bytes of a pins file. */
export const MOST_PINS_BYTES = 64 * 1024 * 1024;

/** A pins file as it was read. */
export interface ReadPins {
  /** undefined without a file. */
  readonly text: string | undefined;
  readonly pins: readonly Pin[];
  readonly keys: readonly string[];
}

/** Like other files of a repository, it may be read by others, unless the user's umask says otherwise. */
const REPOSITORY_MODE = 0o666;

const NO_FILE: ReadPins = { text: undefined, pins: [], keys: [] };

/** The result of reading the file, and the facts by which a change is seen. */
interface Known {
  readonly facts: string;
  readonly read: ReadPins | ConnectionError;
  /** Made when a page asks. */
  reply?: PinsReply;
}

/**
 * The pins file of the user's repository. It is read again when it has changed on disk. A file that is not a pins file
 * is never written.
 */
export class PinsOnDisk {
  readonly path: string;
  #known: Known | undefined;
  /** Changes run one after another. */
  #changing: Promise<unknown> = Promise.resolve();

  readonly #confirm: (() => Promise<void>) | undefined;

  /** `path`: absolute. `confirm` rejects with a ConnectionError if the file may not be written. Absent: it may. */
  constructor(path: string, confirm?: () => Promise<void>) {
    this.path = path;
    this.#confirm = confirm;
  }

  /** Returns the file's calls; none without a file. Rejects with ConnectionError `pins-unreadable`. */
  async read(): Promise<ReadPins> {
    const { read } = await this.#current();
    if (read instanceof ConnectionError) throw read;
    return read;
  }

  /** Returns the file as a page shows it. A file that can't be used is a failure in the reply. */
  async list(): Promise<PinsReply> {
    const known = await this.#current();
    known.reply ??= replyOf(this.path, known.facts, known.read);
    return known.reply;
  }

  /**
   * Writes what `update` makes of the file. Returns what `update` returned. Rejects with a ConnectionError, also with
   * that of `update`, if nothing was written.
   */
  change<R extends { readonly text: string }>(update: (before: ReadPins & { readonly text: string }) => R): Promise<R> {
    const changed = this.#changing.then(() => this.#change(update));
    this.#changing = changed.catch(() => {});
    return changed;
  }

  async #change<R extends { readonly text: string }>(
    update: (before: ReadPins & { readonly text: string }) => R,
  ): Promise<R> {
    await this.#confirm?.();
    const before = await this.read();
    const made = update({ ...before, text: before.text ?? writePins([]) });
    if (Buffer.byteLength(made.text) > MOST_PINS_BYTES) throw new ConnectionError(TOO_LARGE);
    // Throws rather than write a file that could not be read again.
    readPins(made.text);
    try {
      if (before.text === undefined) await writeNewFile(this.path, [Buffer.from(made.text)], REPOSITORY_MODE);
      else {
        const { text } = await readNamedFile(this.path, { most: MOST_PINS_BYTES });
        if (text !== before.text) throw new ConnectionError(CHANGED_MEANWHILE);
        await replaceFile(this.path, made.text);
      }
      await decideForWritten('calls', this.path, { before: before.text, after: made.text });
    } catch (error) {
      if (isFailure(error)) throw error;
      throw new ConnectionError({
        code: 'pins-not-written',
        message: `Could not write \`${this.path}\`: ${writeErrorReason(error)}.`,
        advice: 'Name another file with `--pins FILE`, or change the permissions.',
      });
    } finally {
      // Two writes within the clock's resolution have the same facts.
      this.#known = undefined;
    }
    return made;
  }

  async #current(): Promise<Known> {
    const facts = await factsOf(this.path);
    if (this.#known?.facts === facts) return this.#known;
    const known: Known = { facts, read: await readFrom(this.path) };
    this.#known = known;
    return known;
  }
}

/** Returns facts that differ when a file was written; '' without a file. */
async function factsOf(path: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(path, { bigint: true });
    return sha256Of(Buffer.from([mtimeNs, ctimeNs, size, ino].join(' '))).slice(0, 16);
  } catch {
    return '';
  }
}

async function readFrom(path: string): Promise<ReadPins | ConnectionError> {
  const { text, wrong } = await readNamedFile(path, { most: MOST_PINS_BYTES });
  if (wrong !== undefined) return unreadable(path, wrong);
  if (text === undefined) return NO_FILE;
  try {
    const pins = readPins(text);
    return { text, pins, keys: pinKeys(pins, shortDigest) };
  } catch (error) {
    if (error instanceof PinsError) return unreadable(path, error.message);
    throw error;
  }
}

function unreadable(path: string, why: string): ConnectionError {
  return new ConnectionError({
    code: 'pins-unreadable',
    message: `\`${path}\` can’t be used. ${why}`,
    advice: `Repair the file, or move it away. ${docsUrl('pins')} describes the format.`,
  });
}

function replyOf(path: string, version: string, read: ReadPins | ConnectionError): PinsReply {
  if (read instanceof ConnectionError) {
    const { code, message, advice } = read;
    return { path, version, failure: { code, message, advice }, pins: [] };
  }
  return { path, version, pins: read.pins.map((pin, index) => entryOf(pin, read.keys[index]!)) };
}

function entryOf(pin: Pin, key: string): PinEntry {
  const { name, method, params = '', save, ignore, accepted } = pin;
  const target = targetOf(pin.params);
  return {
    key,
    name,
    method,
    ...(target !== undefined && { target }),
    params: params.slice(0, PIN_PARAMS_CHARS).toWellFormed(),
    paramsChars: params.length,
    ...(accepted && {
      accepted: { kind: accepted.kind, chars: accepted.text.length, digest: digestOf(accepted) },
    }),
    reads: [...pinVariables([pin])],
    saves: [...save.keys()],
    ignores: ignore.length,
  };
}

const TOO_LARGE: Failure = {
  code: 'pins-full',
  message: `The pins file would be larger than ${MOST_PINS_BYTES / 1024 / 1024} MiB.`,
  advice: 'Delete pinned calls with large answers, or name another file with `--pins FILE`.',
};

const CHANGED_MEANWHILE: Failure = {
  code: 'pins-changed',
  message: 'The pins file has changed meanwhile, so nothing was written.',
  advice: 'Look at the pins again, then repeat this.',
};
