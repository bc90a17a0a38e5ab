// @ts-check
/**
 * Passed to listeners: a list changed, or one resource did.
 * @typedef {{ kind: 'tools' } | { kind: 'resources' } | { kind: 'updated', uri: string }} Change
 */
/**
 * @typedef {object} Entry
 * @property {number} number From 1.
 * @property {string} at ISO 8601.
 * @property {string} keeper
 * @property {string} weather
 * @property {string} text
 */

export const KEEPERS = ['Agnes Mowat', 'Callum Rae', 'Ingrid Halvorsen', 'Tomas Rendall'];
export const WEATHER = ['clear', 'haze', 'fog', 'rain', 'snow', 'gale'];

/** Log entries at start: [time, keeper, weather, text]. */
const FIRST_ENTRIES = [
  [
    '2026-03-01T06:10:00Z',
    'Agnes Mowat',
    'clear',
    'Lamp out at sunrise. Cleaned the lens; found one fingerprint, not mine.',
  ],
  ['2026-03-02T21:45:00Z', 'Callum Rae', 'haze', 'Bulk carrier *Northern Wren* passed 2 nm to the west.'],
  ['2026-03-04T03:20:00Z', 'Ingrid Halvorsen', 'fog', 'Horn on at 03:20. Visibility below half a mile.'],
  ['2026-03-04T09:05:00Z', 'Ingrid Halvorsen', 'fog', 'Horn still on. The gulls have stopped complaining.'],
  ['2026-03-06T17:30:00Z', 'Tomas Rendall', 'gale', 'Spray over the gallery rail, 34 metres up. Shutters closed.'],
  ['2026-03-09T12:00:00Z', 'Agnes Mowat', 'rain', 'Supply boat turned back at the landing. Tea for four days.'],
];

/** The lighthouse: all state that changes while the server runs. */
export class Station {
  lamp = { lit: true, character: 'Fl(3) W 20s', brightness: 80 };
  /** @type {'day' | 'night'} */
  watch = 'day';
  /** @type {Entry[]} */
  entries = FIRST_ENTRIES.map(([at, keeper, weather, text], index) => ({
    number: index + 1,
    at: String(at),
    keeper: String(keeper),
    weather: String(weather),
    text: String(text),
  }));
  /** @type {((change: Change) => void)[]} */
  #listeners = [];

  /** @param {(change: Change) => void} listener */
  onChange(listener) {
    this.#listeners.push(listener);
  }

  /** @param {Omit<Entry, 'number'>} entry */
  write(entry) {
    const written = { number: (this.entries.at(-1)?.number ?? 0) + 1, ...entry };
    this.entries.push(written);
    this.#tell({ kind: 'updated', uri: 'light://logbook' });
    this.#tell({ kind: 'resources' });
    return written;
  }

  /** @param {number} number @returns {boolean} False if there is no such entry. */
  erase(number) {
    const index = this.entries.findIndex((entry) => entry.number === number);
    if (index === -1) return false;
    this.entries.splice(index, 1);
    this.#tell({ kind: 'updated', uri: 'light://logbook' });
    this.#tell({ kind: 'resources' });
    return true;
  }

  /** @param {Partial<Station['lamp']>} change */
  setLamp(change) {
    this.lamp = { ...this.lamp, ...change };
    this.#tell({ kind: 'updated', uri: 'light://lamp' });
  }

  /** @param {'day' | 'night'} watch */
  setWatch(watch) {
    this.watch = watch;
    this.#tell({ kind: 'tools' });
  }

  /** @param {Change} change */
  #tell(change) {
    for (const listener of this.#listeners) listener(change);
  }
}

/** @param {Entry} entry */
export function entryMarkdown({ number, at, keeper, weather, text }) {
  return `## ${number}. ${at}\n\n*${keeper}, ${weather}*\n\n${text}\n`;
}
