import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameNumbers } from './frame-numbers';

test('maps numbers with any gaps to seqs and back', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 40 }), (steps) => {
      const numbers = new FrameNumbers();
      const list: number[] = [];
      for (const step of steps) {
        list.push((list.at(-1) ?? 0) + step);
        numbers.addFrame(list.length, list.at(-1)!);
      }
      expect(list.map((_, index) => numbers.numberOf(index + 1))).toEqual(list);
      const last = list.at(-1)!;
      const all = Array.from({ length: last + 2 }, (_, number) => number);
      expect(all.map((number) => numbers.seqOf(number))).toEqual(
        all.map((number) => (list.includes(number) ? list.indexOf(number) + 1 : undefined)),
      );
      expect(numbers.numberOf(list.length + 1)).toBeUndefined();
    }),
  );
});
