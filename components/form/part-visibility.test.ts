import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PartVisibility } from './part-visibility';

/** The browser's observer, told by the test what is near. */
class TestObserver {
  static made: TestObserver[] = [];
  readonly observed = new Set<Element>();
  constructor(readonly told: (entries: Partial<IntersectionObserverEntry>[]) => void) {
    TestObserver.made.push(this);
  }
  observe = (element: Element) => this.observed.add(element);
  unobserve = (element: Element) => this.observed.delete(element);
  disconnect = () => this.observed.clear();
  near(...places: Element[]) {
    this.told(
      places.map((target, at) => ({
        target,
        isIntersecting: true,
        boundingClientRect: { top: 100 * at, bottom: 100 * at + 50 } as DOMRect,
        rootBounds: { top: -900, bottom: 1800, height: 2700 } as DOMRect,
      })),
    );
  }
}

const place = () => ({ parentElement: null }) as Element;

beforeEach(() => {
  TestObserver.made = [];
  vi.useFakeTimers();
  vi.stubGlobal('IntersectionObserver', TestObserver);
  vi.stubGlobal('document', { body: {} });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('about a screenful is drawn at once, and another after a breath', () => {
  const sight = new PartVisibility();
  const admitted = () => Array.from({ length: 20 }, () => sight.admitPart(10)).filter(Boolean).length;
  expect(admitted()).toBe(3);
  expect(admitted()).toBe(0);
  vi.runAllTimers();
  expect(admitted()).toBe(3);
});

test('of what comes near, a screenful is drawn, and the rest looked at again', () => {
  const sight = new PartVisibility();
  const places = Array.from({ length: 10 }, place);
  const drawn: number[] = [];
  const ends = places.map((each, at) => sight.drawWhenNear(each, 10, () => drawn.push(at)));
  const observer = TestObserver.made[0]!;
  observer.near(...places);
  // Those in the middle of what is seen.
  expect(drawn.toSorted()).toEqual([3, 4, 5]);
  expect(observer.observed).toEqual(new Set(places.filter((_, at) => !drawn.includes(at))));
  for (const end of ends) end();
  observer.near(...places);
  expect(drawn).toHaveLength(3);
});

test('what is seen comes before what is above it', () => {
  const sight = new PartVisibility();
  const drawn: string[] = [];
  const [above, seen] = [place(), place()];
  sight.drawWhenNear(above, 30, () => drawn.push('above'));
  sight.drawWhenNear(seen, 30, () => drawn.push('seen'));
  const at = (target: Element, top: number) => ({
    target,
    isIntersecting: true,
    boundingClientRect: { top, bottom: top + 50 } as DOMRect,
    rootBounds: { top: -900, bottom: 1800, height: 2700 } as DOMRect,
  });
  TestObserver.made[0]!.told([at(above, -500), at(seen, 300)]);
  expect(drawn).toEqual(['seen']);
});
