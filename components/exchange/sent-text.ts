import { useMemo } from 'react';
import { useFrameBytes } from '@/lib/hooks/use-frame-bytes';
import { prettyJson } from '@/lib/schema/json';
import { messageSource } from '@/lib/store/answer-source';
import type { Exchange } from '@/lib/store/exchanges';
import type { Log } from '@/lib/store/log';
import { LIMITS } from '@/lib/wire/limits';

const NONE: readonly number[] = [];

/** The arguments of a request as they were sent, with line breaks; '' if it had none, '{}' while there is no request, or no bytes. */
export function useSentText(log: Log, exchange: Exchange | undefined): string {
  const { requestSeq, id } = exchange ?? {};
  const bytes = useFrameBytes(log, requestSeq === undefined ? NONE : [requestSeq]);
  return useMemo(() => {
    if (requestSeq === undefined || bytes !== 'here') return '{}';
    const text = messageSource(log, requestSeq, id)?.member('params')?.member('arguments')?.text ?? '';
    return text.length <= LIMITS.formattedBytes ? prettyJson(text) : text;
  }, [log, requestSeq, id, bytes]);
}
