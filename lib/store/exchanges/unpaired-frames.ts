import { FLAG, type Frame } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { Classified } from '../classify';
import type { Columns } from '../columns/columns';
import { type Derivation, ENDS } from '../derivation';
import type { UnmatchedAnswers } from './unmatched-answers';

/** Looks for responses in what a server sent that was not paired. */
export class UnpairedFrames implements Derivation {
  readonly #columns: Columns;
  readonly #answers: UnmatchedAnswers;

  constructor(columns: Columns, answers: UnmatchedAnswers) {
    this.#columns = columns;
    this.#answers = answers;
  }

  addEvent(seq: number, event: LifecycleEvent | undefined): void {
    if (event?.event === 'line-unended') this.#answers.addUnended(seq, event.text);
    if (ENDS.has(event?.event)) this.#answers.endPrintedObject();
  }

  add({ seq, bytes, flags, direction, channel }: Frame, { kind, messages }: Classified): void {
    if (channel !== 'protocol' || direction !== 'to-client') return;
    const exchange = this.#columns.exchange(seq - 1) ?? 0;
    if (kind !== 'junk' || flags & FLAG.continued) {
      const isStray = (kind === 'response' || kind === 'error') && this.#columns.peer(seq - 1) === undefined;
      this.#answers.addMessage(seq, exchange, isStray ? messages[0] : undefined);
      return;
    }
    // All rows of a printed object have changed: the first one now represents it.
    const { lines = [] } = this.#answers.addJunk(seq, bytes, exchange) ?? {};
    for (const line of lines) this.#columns.markChanged(line - 1);
  }
}
