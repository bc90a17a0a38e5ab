import { describe, expect, test } from 'vitest';
import { FocusOrigin, SETTLE_MS } from './focus-origin';
import { decideKey, isSingleKey, type KeyContext, type KeyPlace, type KeyPress } from './key-press';
import { DROP_KEYS, OLD_KEYS, RELEASE_ALL_KEYS } from './old-keys';

const KEYS = ['j', 's', '/', 'Enter', 'Escape', 'g t', 't', 'mod+k', 'mod+enter', DROP_KEYS, RELEASE_ALL_KEYS];
const SHORTCUTS = KEYS.map((keys) => ({ keys }));

const ON_BODY: KeyContext = { place: 'body', isSettled: true, prefix: '', singleKeys: true, isApple: false };

/** Reads `ctrl+shift+Backspace`. */
function pressed(text: string): KeyPress {
  const parts = text.split('+');
  return {
    key: parts.at(-1)!,
    ctrlKey: parts.includes('ctrl'),
    metaKey: parts.includes('meta'),
    shiftKey: parts.includes('shift'),
    repeat: false,
  };
}

/** Returns the keys of the shortcut that runs, or what else happens. */
function effect(press: string, context: Partial<KeyContext> = {}): string {
  const decided = decideKey(pressed(press), { ...ON_BODY, ...context }, SHORTCUTS);
  return decided.do === 'run' ? decided.shortcut.keys : decided.do;
}

const PLACES: readonly KeyPlace[] = ['body', 'log', 'field', 'elsewhere'];

describe('keys without ⌘ or Ctrl', () => {
  test('work on the body and in the log', () => {
    for (const key of ['j', '/', 'Enter']) expect([effect(key), effect(key, { place: 'log' })]).toEqual([key, key]);
  });

  test.each(['field', 'elsewhere'] as const)('do nothing with the focus on: %s', (place) => {
    for (const key of ['j', 's', '/', 'Enter', 'g', 'i']) expect(effect(key, { place }), key).toBe('nothing');
  });

  test('do nothing where no person put the focus', () => {
    for (const place of PLACES) {
      for (const key of ['j', 's', 'Enter', 'g', 'i', 'F']) {
        expect(effect(key, { place, isSettled: false }), `${key} on ${place}`).toBe('nothing');
      }
    }
  });

  test('make sequences', () => {
    expect(effect('g')).toBe('prefix');
    expect(effect('t', { prefix: 'g' })).toBe('g t');
    expect([effect('t'), effect('j', { prefix: 'g' })]).toEqual(['t', 'nothing']);
    expect(effect('ctrl+k', { prefix: 'g' })).toBe('mod+k');
    expect(effect('t', { prefix: 'g', place: 'field' })).toBe('nothing');
  });

  test('can be turned off', () => {
    expect(['j', 'g', 'i'].map((key) => effect(key, { singleKeys: false }))).toEqual(['nothing', 'nothing', 'nothing']);
    expect(effect('Enter', { singleKeys: false })).toBe('Enter');
  });
});

describe('Esc', () => {
  test('leaves a field, and a list or a button if it closes nothing', () => {
    expect(effect('Escape', { place: 'field' })).toBe('leave');
    const context: KeyContext = { ...ON_BODY, place: 'elsewhere', isSettled: false };
    expect(decideKey(pressed('Escape'), context, [{ keys: 'j' }]).do).toBe('leave');
  });

  test.each(['body', 'log', 'elsewhere'] as const)('is a shortcut on: %s', (place) => {
    expect(effect('Escape', { place })).toBe('Escape');
    expect(effect('Escape', { place, isSettled: false })).toBe('Escape');
  });
});

describe('keys with ⌘ or Ctrl', () => {
  test('work wherever nobody types, also just after a move of the focus', () => {
    for (const place of ['body', 'log', 'elsewhere'] as const) {
      for (const isSettled of [true, false]) {
        expect(effect('ctrl+k', { place, isSettled })).toBe('mod+k');
        expect(effect('ctrl+shift+Backspace', { place, isSettled })).toBe(DROP_KEYS);
        expect(effect('ctrl+shift+Enter', { place, isSettled })).toBe(RELEASE_ALL_KEYS);
      }
    }
  });

  test('do nothing in a field, and neither does the browser; but Ctrl+Enter sends', () => {
    expect(effect('ctrl+k', { place: 'field' })).toBe('refuse');
    expect(effect('ctrl+shift+Backspace', { place: 'field' })).toBe('refuse');
    expect(effect('ctrl+Enter', { place: 'field' })).toBe('mod+enter');
    expect(effect('ctrl+b', { place: 'field' })).toBe('nothing');
  });

  test('do nothing while held down', () => {
    const press = { ...pressed('ctrl+Enter'), repeat: true };
    expect(decideKey(press, ON_BODY, SHORTCUTS)).toEqual({ do: 'nothing' });
  });

  test('are ⌘ on a Mac, where Ctrl edits text', () => {
    const mac = { isApple: true };
    expect(effect('meta+k', mac)).toBe('mod+k');
    expect(effect('ctrl+k', { ...mac, place: 'field' })).toBe('nothing');
    expect([effect('meta+Enter', mac), effect('ctrl+Enter', mac)]).toEqual(['mod+enter', 'mod+enter']);
    // Chrome deletes browsing data by ⌘⇧⌫.
    expect([effect('ctrl+shift+Backspace', mac), effect('meta+shift+Backspace', mac)]).toEqual([DROP_KEYS, 'nothing']);
  });

  test('need the exact modifiers', () => {
    expect([effect('ctrl+shift+k'), effect('ctrl+Backspace'), effect('shift+Backspace')]).toEqual(
      Array(3).fill('nothing'),
    );
  });
});

describe('an old key', () => {
  test('says what replaces it, only where it worked', () => {
    for (const { keys } of OLD_KEYS) {
      const [first, second] = keys.split(' ') as [string, string?];
      const context = second === undefined ? {} : { prefix: first };
      expect(effect(second ?? first, context), keys).toBe('old');
      expect(effect(second ?? first, { ...context, place: 'elsewhere' }), keys).toBe('nothing');
    }
  });

  test('is silent once it has a new meaning', () => {
    const decided = decideKey(pressed('i'), ON_BODY, [{ keys: 'i' }]);
    expect(decided).toMatchObject({ do: 'run' });
  });
});

/** A small random generator with a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test('random typing runs nothing, whatever happens to the field', () => {
  const letters = [
    ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,.;/?[]{}"',
    'Enter',
    'Backspace',
  ];
  const all = [...SHORTCUTS, ...letters.map((keys) => ({ keys })), ...letters.map((key) => ({ keys: `g ${key}` }))];
  for (let seed = 1; seed <= 20; seed++) {
    const next = random(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
    const clock = { now: 0 };
    const origin = new FocusOrigin(() => clock.now);
    const places = new Map<object | undefined, KeyPlace>([[undefined, 'body']]);
    let at: object | undefined = { seed };
    places.set(at, 'field');
    // A person clicks into a field, then only types.
    origin.act('place');
    origin.moved(at);
    origin.rest();
    for (let step = 0; step < 200; step++) {
      clock.now += next() * 2 * SETTLE_MS;
      if (next() < 0.2) {
        at = pick([undefined, {}, {}]);
        if (at) places.set(at, pick(PLACES));
        origin.moved(at, { modal: next() < 0.1, isOurs: true });
      }
      const press = pressed(pick(letters));
      if (press.key === 'Enter') {
        origin.act('command');
        origin.rest();
      }
      const context = { ...ON_BODY, place: places.get(at)!, isSettled: origin.isSettled, prefix: pick(['', 'g', 'r']) };
      const decided = decideKey(press, context, all);
      expect(decided.do, `seed ${seed}, step ${step}, ${press.key} on ${context.place}`).toBe('nothing');
    }
  }
});

test('characters are single keys, alone or in a sequence', () => {
  expect(['j', '?', 'g t'].map(isSingleKey)).toEqual([true, true, true]);
  expect(['mod+k', 'Escape', 'End', 'Enter'].map(isSingleKey)).toEqual([false, false, false, false]);
});
