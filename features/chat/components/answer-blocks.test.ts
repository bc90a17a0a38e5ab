import { expect, test } from 'vitest';
import type { ChatBlock, ChatModelCall } from '@/features/chat/lib/chat-state';
import { newestBlocks } from './answer-blocks';

function request(number: number, blocks: number): ChatModelCall {
  const block: ChatBlock = { type: 'text', text: 'a' };
  return { number, seq: number, tokens: [], losses: [], tools: [], retries: [], blocks: new Array(blocks).fill(block) };
}

function summary(requests: readonly ChatModelCall[], most: number) {
  const { shown, earlier } = newestBlocks(requests, most);
  return { shown: shown.map(({ request: { number }, from }) => [number, from]), earlier };
}

test('a short answer is drawn whole, without its empty requests', () => {
  const requests = [request(1, 2), request(2, 0), request(3, 1)];
  expect(summary(requests, 500)).toEqual({
    shown: [
      [1, 0],
      [3, 0],
    ],
    earlier: 0,
  });
});

test('attack: of an answer with very many blocks, the newest are drawn', () => {
  expect(summary([request(1, 100_000)], 500)).toEqual({ shown: [[1, 99_500]], earlier: 99_500 });
  const many = Array.from({ length: 100_000 }, (_, index) => request(index + 1, 1));
  const { shown, earlier } = summary(many, 500);
  expect(shown).toHaveLength(500);
  expect(shown[0]).toEqual([99_501, 0]);
  expect(earlier).toBe(99_500);
});

test('the block at the bound is in the middle of a request', () => {
  const requests = [request(1, 3), request(2, 4), request(3, 2)];
  expect(summary(requests, 4)).toEqual({
    shown: [
      [2, 2],
      [3, 0],
    ],
    earlier: 5,
  });
});
