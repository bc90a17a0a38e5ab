import { DEFAULT_SETTINGS, type Settings, settingsIn } from '@/lib/wire/settings';

/** The used part of a Storage. Every call may throw. */
type SettingsStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** The script in app/layout.tsx reads the theme and the density under this key before the first paint. */
const SETTINGS_ITEM = 'mcp-inspect.settings';

/**
 * The settings of this page, with a copy in the browser: the only one on a page without a proxy, and the one for the
 * first paint on a page with one. Without storage, they last until a reload.
 */
export class BrowserSettings {
  readonly #storage: () => SettingsStorage;
  readonly #listeners = new Set<() => void>();
  #settings: Settings | undefined;

  /** `storage` is called each time, since even reading the property may throw. */
  constructor(storage: () => SettingsStorage) {
    this.#storage = storage;
  }

  /** Returns the settings: the same object until they change. */
  readonly get = (): Settings => {
    this.#settings ??= this.#stored();
    return this.#settings;
  };

  set(settings: Settings): void {
    try {
      this.#storage().setItem(SETTINGS_ITEM, JSON.stringify(settings));
    } catch {
      // Storage is full or forbidden.
    }
    this.#show(settings);
  }

  /** Reads the copy again, because another tab may have changed it. */
  readAgain(): void {
    this.#show(this.#stored());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #show(settings: Settings): void {
    if (JSON.stringify(settings) === JSON.stringify(this.get())) return;
    this.#settings = settings;
    for (const listener of [...this.#listeners]) listener();
  }

  #stored(): Settings {
    try {
      return settingsIn(JSON.parse(this.#storage().getItem(SETTINGS_ITEM) ?? 'null'));
    } catch {
      return DEFAULT_SETTINGS;
    }
  }
}
