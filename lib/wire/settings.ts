import { isFlag, isObject, oneOf, own, type TypeCheck } from '@/lib/json/value';
import type { Failure } from './lifecycle';
import { LIMITS } from './limits';

/** Settings of one person, for all pages. mcp-inspect keeps them in `settings.json` of the data folder. */
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
  timeoutMs: LIMITS.requestMs,
  confirmDestructive: true,
  unconfirmedServers: [],
  singleKeys: true,
};

/** `GET /api/settings`, and the answer to each change. */
export interface SettingsReply {
  readonly settings: Settings;
  /** Absolute path of `settings.json`. */
  readonly file: string;
  /** Why the file can't be read. The settings are then the defaults, and can't be changed. */
  readonly failure?: Failure;
}

const CHECKS: Readonly<Record<keyof Settings, TypeCheck>> = {
  theme: oneOf('system', 'light', 'dark'),
  density: oneOf('comfortable', 'compact'),
  timestamps: oneOf('relative', 'absolute'),
  timeoutMs: (value) =>
    Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= LIMITS.requestMaxMs,
  confirmDestructive: isFlag,
  unconfirmedServers: (value) =>
    Array.isArray(value) &&
    value.length <= LIMITS.unconfirmedServers &&
    value.every((key) => typeof key === 'string' && key.length <= LIMITS.callKeyChars),
  singleKeys: isFlag,
};

const NAMES = Object.keys(CHECKS) as readonly (keyof Settings)[];

/** Some settings, and the names in the same value that are not a setting or have an invalid value. */
export interface ReadSettings {
  readonly settings: Partial<Settings>;
  readonly ignored: readonly string[];
}

/** Reads settings from JSON, each one by itself. undefined if the value is not an object. */
export function readSettings(value: unknown): ReadSettings | undefined {
  if (!isObject(value)) return undefined;
  const isValid = (name: string) => NAMES.some((known) => known === name && CHECKS[known](own(value, known)));
  return {
    settings: Object.fromEntries(NAMES.filter(isValid).map((name) => [name, own(value, name)])),
    ignored: Object.keys(value).filter((name) => !isValid(name)),
  };
}

/** Returns the settings in a JSON value, with the default for each that is missing or invalid. */
export function settingsIn(value: unknown): Settings {
  return { ...DEFAULT_SETTINGS, ...readSettings(value)?.settings };
}
