import { JsonSource } from '@/lib/wire/json-source';
import { isObject, own } from '@/lib/wire/message';
import type { ReadMessage } from './read-messages';
import type { RecordedCall } from './recorded-session';

/** Which calls go on with an earlier one that was answered with `input_required` (2026-07-28): same method, name and `requestState`. */
export class Rounds {
  readonly #unfinished = new Map<string, number>();

  /** seq of the first round, if this request is a later one. */
  continues({ message, params }: ReadMessage): number | undefined {
    if (this.#unfinished.size === 0) return undefined;
    const state = params?.member('requestState');
    if (state === undefined && params?.member('inputResponses') === undefined) return undefined;
    const key = roundKey(message.method, message.name, state?.text);
    const first = this.#unfinished.get(key);
    this.#unfinished.delete(key);
    return first;
  }

  answered(call: RecordedCall, { message, answer = '' }: ReadMessage): void {
    const result = own(message.body, 'result');
    if (!isObject(result) || own(result, 'resultType') !== 'input_required') return;
    const state = JsonSource.parse(answer)?.member('requestState')?.text;
    this.#unfinished.set(roundKey(call.method, call.name, state), call.continues ?? call.seq);
  }
}

function roundKey(method: string | undefined, name: string | undefined, state: string | undefined): string {
  return JSON.stringify([method, name, state]);
}
