import { describe, expect, test, vi } from 'vitest';
import { type DraftStorage, Drafts } from './drafts';

function storage(limit = Number.POSITIVE_INFINITY) {
  const texts = new Map<string, string>();
  const fake: DraftStorage = {
    getItem: (key) => texts.get(key) ?? null,
    setItem(key, text) {
      if (text.length > limit) throw new DOMException('full', 'QuotaExceededError');
      texts.set(key, text);
    },
    removeItem: (key) => void texts.delete(key),
  };
  return { texts, get: () => fake };
}

describe('drafts', () => {
  test('survive a reload', () => {
    const { get } = storage();
    new Drafts(get).set('form', { a: [1, null] });
    expect(new Drafts(get).get('form')).toEqual({ a: [1, null] });
    expect(new Drafts(get).get('other')).toBeUndefined();
  });

  test('stay the same object until they are set', () => {
    const { get } = storage();
    new Drafts(get).set('form', { a: 1 });
    const drafts = new Drafts(get);
    expect(drafts.get('form')).toBe(drafts.get('form'));
  });

  test('that do not fit last until the reload, and no older text comes back after it', () => {
    const { get } = storage(10);
    const drafts = new Drafts(get);
    drafts.set('form', 'short');
    drafts.set('form', 'much too long to be kept');
    expect(drafts.get('form')).toBe('much too long to be kept');
    expect(new Drafts(get).get('form')).toBeUndefined();
  });

  test('work if storage is forbidden or holds nonsense', () => {
    const forbidden = new Drafts(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    forbidden.set('form', 1);
    expect(forbidden.get('form')).toBe(1);
    const { get, texts } = storage();
    texts.set('draft:form', '{');
    expect(new Drafts(get).get('form')).toBeUndefined();
  });

  test('are gone when set to undefined', () => {
    const { get, texts } = storage();
    const drafts = new Drafts(get);
    drafts.set('form', 1);
    drafts.set('form', undefined);
    expect([drafts.get('form'), texts.size]).toEqual([undefined, 0]);
  });

  test('call their listeners', () => {
    const listener = vi.fn();
    const drafts = new Drafts(storage().get);
    const leave = drafts.subscribe(listener);
    drafts.set('form', 1);
    leave();
    drafts.set('form', 2);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
