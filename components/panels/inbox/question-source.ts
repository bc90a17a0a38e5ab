import { messageSource } from '@/lib/store/answer-source';
import type { Log } from '@/lib/store/log';
import type { Question } from '@/lib/store/state';
import type { JsonSource } from '@/lib/wire/json-source';

/** The params of a question as the server wrote them; undefined if it gave none. */
export function paramsOf(log: Log, { seq, id, input }: Question): JsonSource | undefined {
  const message = messageSource(log, seq, id);
  if (input === undefined) return message?.member('params');
  return message?.member('result')?.member('inputRequests')?.member(input)?.member('params');
}

/** A string member; '' if it is none. */
export function textMember(params: JsonSource | undefined, name: string): string {
  const value = params?.kind === 'object' ? params.member(name)?.value : undefined;
  return typeof value === 'string' ? value : '';
}
