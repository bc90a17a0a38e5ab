import { useMemo } from 'react';
import { type BytesState, useFrameBytes } from '@/lib/hooks/use-frame-bytes';
import { prettyJson } from '@/lib/schema/json';
import { messageSource } from '@/lib/store/answer-source';
import type { Exchange } from '@/lib/store/exchanges';
import type { Log } from '@/lib/store/log';
import { LIMITS } from '@/lib/wire/limits';

const NONE: readonly number[] = [];

/** What a request was sent with. */
export interface SentText {
  /** Its arguments with line breaks; '' if it had none, '{}' while there is no request, or its bytes are not here. */
  readonly text: string;
  /** Where its bytes are. */
  readonly bytes: BytesState;
}

/** The arguments of a request as they were sent. Those that left the page are fetched. */
export function useSentText(log: Log, exchange: Exchange | undefined): SentText {
  const { requestSeq, id } = exchange ?? {};
  const bytes = useFrameBytes(log, requestSeq === undefined ? NONE : [requestSeq]);
  return useMemo(() => {
    if (requestSeq === undefined || bytes !== 'here') return { text: '{}', bytes };
    const text = messageSource(log, requestSeq, id)?.member('params')?.member('arguments')?.text ?? '';
    return { text: text.length <= LIMITS.formattedBytes ? prettyJson(text) : text, bytes };
  }, [log, requestSeq, id, bytes]);
}
