import { LIMITS } from '@/lib/wire/limits';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import type { Answer, Session } from './session';

/** The answers of a list method, page after page. Ends after an error, and on a cursor that came before. */
export async function* pagesOf(session: Pick<Session, 'request'>, method: string): AsyncGenerator<Answer> {
  const seen = new Set<string>();
  let params: string | undefined;
  for (let page = 0; page < LIMITS.listPages; page++) {
    const answer = await session.request(method, params);
    yield answer;
    const result = answer.kind === 'result' ? answer.result : undefined;
    const cursor = isObject(result) ? own(result, 'nextCursor') : undefined;
    if (typeof cursor !== 'string' || seen.has(cursor)) return;
    seen.add(cursor);
    params = JSON.stringify({ cursor });
  }
}

/** The entries of one page, without what is no object. */
export function entriesOf(answer: Answer, items: string): readonly JsonObject[] {
  const entries = answer.kind === 'result' && isObject(answer.result) ? own(answer.result, items) : undefined;
  return Array.isArray(entries) ? entries.filter(isObject) : [];
}
