import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FieldProblem, FieldProblems, PartVisibility } from './form-state';

/** A fake IntersectionObserver: the test says which elements are near the view. */
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

test('renders about a screenful at once, and more in the next task', () => {
  const visibility = new PartVisibility();
  const admitted = () => Array.from({ length: 20 }, () => visibility.admitPart(10)).filter(Boolean).length;
  expect(admitted()).toBe(3);
  expect(admitted()).toBe(0);
  vi.runAllTimers();
  expect(admitted()).toBe(3);
});

test('renders a screenful of the parts near the view, and keeps watching the others', () => {
  const visibility = new PartVisibility();
  const places = Array.from({ length: 10 }, place);
  const drawn: number[] = [];
  const ends = places.map((each, at) => visibility.drawWhenNear(each, 10, () => drawn.push(at)));
  const observer = TestObserver.made[0]!;
  observer.near(...places);
  // Elements in the middle of the view.
  expect(drawn.toSorted()).toEqual([3, 4, 5]);
  expect(observer.observed).toEqual(new Set(places.filter((_, at) => !drawn.includes(at))));
  for (const end of ends) end();
  observer.near(...places);
  expect(drawn).toHaveLength(3);
});

test('renders parts in view before those above', () => {
  const visibility = new PartVisibility();
  const drawn: string[] = [];
  const [above, seen] = [place(), place()];
  visibility.drawWhenNear(above, 30, () => drawn.push('above'));
  visibility.drawWhenNear(seen, 30, () => drawn.push('seen'));
  const at = (target: Element, top: number) => ({
    target,
    isIntersecting: true,
    boundingClientRect: { top, bottom: top + 50 } as DOMRect,
    rootBounds: { top: -900, bottom: 1800, height: 2700 } as DOMRect,
  });
  TestObserver.made[0]!.told([at(above, -500), at(seen, 300)]);
  expect(drawn).toEqual(['seen']);
});

test('shows a problem once its field was left, the server’s at once, and all after a call', () => {
  const problems = new FieldProblems();
  const problem = (key: string, source: FieldProblem['source']): FieldProblem => ({
    path: ['o', key],
    text: key,
    source,
  });
  const all = [problem('a', 'missing'), problem('b', 'schema'), problem('c', 'server')];
  const shown = () => problems.shown.map(({ text }) => text).join('');
  problems.setProblems(all, true);
  expect(shown()).toBe('c');
  problems.leaveFields(['["o","b"]']);
  expect(shown()).toBe('bc');
  expect(problems.problemsAt('["o","a"]')).toEqual([]);
  expect(problems.countUnder('["o"]')).toBe(2);
  problems.showAll();
  expect(shown()).toBe('abc');
  problems.setProblems(all.slice(1), true);
  expect(shown()).toBe('bc');
  problems.hideAll();
  problems.setProblems(all, true);
  expect(shown()).toBe('c');
});

test('a field’s problems stay the same array while they are equal', () => {
  const problems = new FieldProblems();
  const found = (): FieldProblem[] => [{ path: ['a'], text: 'is missing', source: 'missing' }];
  problems.showAll();
  problems.setProblems(found(), true);
  const before = problems.problemsAt('["a"]');
  problems.setProblems(found(), true);
  expect(problems.problemsAt('["a"]')).toBe(before);
});
