import { basename, dirname, join } from 'node:path';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { recordTo, type TrafficRecorder } from '@/proxy/commands/headless/record-traffic';
import type { ModelKeys } from '../model/model-keys';
import type { TerminalChatLog } from './chat-log';

const ENDING = /\.mcpr\.jsonl$/;

/**
 * Starts the recording of a chat. What `secrets` knows, also later, is masked in it. Throws an ExitError if the file
 * can’t be made.
 */
export function recordChat(path: string, at: string, version: string, secrets: CaptureRedactor): TrafficRecorder {
  return recordTo(path, { name: 'chat', transport: 'auto', at, version, redactor: secrets.fork() });
}

/** The recordings of one chat in a terminal. */
export class ChatRecordings {
  readonly #log: TerminalChatLog;
  readonly #version: string;
  /** Knows the keys of models, and gets the secrets of servers. They are in no recording. */
  readonly secrets: CaptureRedactor;
  readonly #running: TrafficRecorder[] = [];

  /** `keys` are masked, also those that are typed later. */
  constructor(log: TerminalChatLog, version: string, keys: ModelKeys) {
    this.#log = log;
    this.#version = version;
    this.secrets = new CaptureRedactor(keys.values());
    keys.onTyped((key) => this.secrets.addGivenSecrets([key]));
  }

  /** Records the chat from its beginning in a new file. Throws an ExitError. */
  readonly start = (path: string): void => {
    const recording = recordChat(path, this.#log.began.at, this.#version, this.secrets);
    this.#running.push(recording);
    this.#log.record(recording.tap(() => 0));
  };

  /** Completes the files. Resolves with a sentence for each that is not whole. */
  async end(): Promise<readonly string[]> {
    const ends = await Promise.all(this.#running.splice(0).map((recording) => recording.end()));
    return ends.filter((sentence) => sentence !== undefined);
  }
}

/** Returns the files of the servers’ recordings, which are beside that of the chat: `NAME-SERVER.mcpr.jsonl`. */
export function serverRecordings(chat: string): (server: string) => string {
  const taken = new Set<string>();
  return (server) => {
    const name = `${basename(chat).replace(ENDING, '')}-${fileName(server)}`;
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name}-${number}`;
    taken.add(free);
    return join(dirname(chat), `${free}.mcpr.jsonl`);
  };
}

/** Bytes of a name in a file’s name, which has several. File systems take 255. */
const NAME_BYTES = 60;

/** Returns a name that any file system takes. */
export function fileName(name: string): string {
  const clean = Buffer.from(name.replace(/[^\p{L}\p{N}_-]+/gu, '-'));
  // A character may be cut in its middle.
  return (
    clean
      .subarray(0, NAME_BYTES)
      .toString()
      .replace(/\ufffd$/, '') || 'unnamed'
  );
}
