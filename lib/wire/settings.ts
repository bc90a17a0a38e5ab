/** What a person chose for every page of theirs. mcp-inspect keeps it in `settings.json` of the data folder. */
export interface Settings {
  /** `system` follows the operating system. */
  readonly theme: 'system' | 'light' | 'dark';
  /** Height of rows and controls. */
  readonly density: 'comfortable' | 'compact';
  /** Times in the log and elsewhere: since the start of the connection, or of the clock. */
  readonly timestamps: 'relative' | 'absolute';
  /** Milliseconds that a request waits for its response, unless its form says otherwise. */
  readonly timeoutMs: number;
  /** Ask before a call of a tool that declares `destructiveHint: true`. */
  readonly confirmDestructive: boolean;
  /** Servers that are not asked about, by the text that `serverKey` returns. */
  readonly unconfirmedServers: readonly string[];
  /** Shortcuts that are a single key, which a screen reader or speech input may trigger by accident. */
  readonly singleKeys: boolean;
}

/** The settings of somebody who changed nothing. */
export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  density: 'comfortable',
  timestamps: 'relative',
  timeoutMs: 60_000,
  confirmDestructive: true,
  unconfirmedServers: [],
  singleKeys: true,
};
