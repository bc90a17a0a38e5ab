import type { ChatModelCall } from '@/features/chat/lib/chat-state';

/** The newest blocks of an answer. */
interface ShownBlocks {
  /** Requests with such blocks, and the index of the first one in each. */
  readonly shown: readonly { readonly request: ChatModelCall; readonly from: number }[];
  /** Blocks before these. */
  readonly earlier: number;
}

/** Returns the last `most` blocks of an answer, whose end has the calls that wait. */
export function newestBlocks(requests: readonly ChatModelCall[], most: number): ShownBlocks {
  const shown: { readonly request: ChatModelCall; readonly from: number }[] = [];
  let left = most;
  let earlier = 0;
  for (const request of requests.toReversed()) {
    const { length } = request.blocks;
    const from = Math.max(0, length - left);
    left -= length - from;
    earlier += from;
    if (from < length) shown.push({ request, from });
  }
  return { shown: shown.reverse(), earlier };
}
