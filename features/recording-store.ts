import type { Option, ParsedOptions, Topic } from '@/proxy/cli/grammar';
import type { CommandOutput } from '@/proxy/cli/output';
import type { ReadRecording } from '@/proxy/commands/shared/recording-file';
import type { RecordingUploads, UploadSettings } from '@/proxy/recorder/recording-uploads';

/** A place of recordings beyond this machine, which a feature adds. Its code is loaded for its addresses. */
export interface RemoteStore {
  /** The start of its addresses, such as `s3` of `s3://bucket`. */
  readonly scheme: string;
  /** Options that complete its addresses, and the help topic that describes them and those of uploads. */
  readonly options: readonly Option[];
  readonly topic: Topic;
  /** Loads the code that reads its addresses. */
  readonly load: () => Promise<StoreReader>;
  readonly uploads: StoreUploads;
}

/** Reads the addresses of a store. */
export interface StoreReader {
  /** True for the address of one file. Any other names a folder. */
  namesFile(address: string): boolean;
  /** True for the address of a recording, which the page can read in parts. */
  namesRecording(address: string): boolean;
  /** Returns the recordings at an address. Downloads a file now, those of a folder later. Rejects with a Failure. */
  recordingsAt(address: string, access: StoreAccess): Promise<readonly ReadRecording[]>;
}

/** How a store is reached. */
export interface StoreAccess {
  /** Version of mcp-inspect. */
  readonly version: string;
  /** The options of the command line. Absent: none. */
  readonly given?: ParsedOptions;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly signal?: AbortSignal | undefined;
}

/** Options about uploads as a command line has them. */
export interface UploadWords {
  readonly to: string;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly addressing?: string | undefined;
  readonly tags: readonly string[];
  readonly author?: string | undefined;
  readonly policy?: string | undefined;
  /** Values of `--mask`. */
  readonly mask: readonly string[];
}

/** Returns the values of an option in their order; undefined if it is not given. */
export type OptionValues = (name: string) => readonly string[] | undefined;

/** Uploads recordings to a store. All but the options is loaded when it is used. */
export interface StoreUploads {
  /** Options of a command that uploads, those of one that waits for the upload, and those of the page. */
  readonly options: readonly Option[];
  readonly awaited: readonly Option[];
  readonly ofPage: readonly Option[];
  /** Reads the options; undefined if nothing is to be uploaded. */
  read(values: OptionValues): UploadWords | undefined;
  /** Prepares the upload of the recording of a command, which is kept if it has no file. Throws an ExitError. */
  prepare(words: UploadWords, record: string | undefined): Promise<CommandUpload>;
  /** Uploads what an earlier run has left, and returns what uploads the recordings of the page. Throws an ExitError. */
  startInPage(recordings: string, words: UploadWords | undefined): Promise<RecordingUploads | undefined>;
  /** Makes the settings of a tap that uploads. Rejects with a Failure. */
  settingsOf(words: UploadWords): Promise<UploadSettings>;
  /** Returns the options of a tap that a host starts, in any folder. Throws an ExitError. */
  tapOptions(words: UploadWords): Promise<readonly string[]>;
}

/** The upload of the recording of one subcommand. */
export interface CommandUpload {
  /** File to record in. */
  readonly record: string;
  /** Puts it into the outbox. Call this once it is being recorded. */
  begin(): void;
  /** Uploads it, once it has its end. Says what happened, and returns whether it is there. Never rejects. */
  run(out: CommandOutput, version: string): Promise<boolean>;
}
