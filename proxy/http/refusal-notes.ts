import { type GuardReason, headerValues, type RequestFacts } from './guard';

const SENTENCES: Readonly<Record<GuardReason, (facts: RequestFacts) => string>> = {
  'target-form': () => 'its target was not a plain path',
  'host-count': () => 'it had no Host header, or more than one',
  'host-foreign': (facts) =>
    `it was meant for ${printable(facts, 'host')}, which is not a name of this proxy (--host adds one)`,
  'origin-foreign': (facts) => `it came from a page of ${printable(facts, 'origin')}`,
  'origin-missing': () => 'it asked for a WebSocket without saying which page it came from',
  preflight: () => 'another page asked whether it may send requests here',
  'path-unknown': () => 'there is no such path in the API',
  method: () => 'its method does not fit its path',
  'content-type': () => 'its body was not JSON',
  token: () => 'it had no token of this run; a page left open from an earlier run does that, a fresh link helps',
  subprotocol: () => 'its WebSocket did not offer our protocol',
};

/** Tells the terminal why requests are refused: each reason once a run, so that nobody can flood it. */
export class RefusalNotes {
  readonly #told = new Set<GuardReason>();
  readonly #terminal: (note: string) => void;

  constructor(terminal: (note: string) => void) {
    this.#terminal = terminal;
  }

  /** One sentence, the first time. */
  tell(reason: GuardReason, facts: RequestFacts): void {
    if (this.#told.has(reason)) return;
    this.#told.add(reason);
    this.#terminal(`Refused a request: ${SENTENCES[reason](facts)}.`);
  }
}

/** A header as the terminal may show it: a stranger wrote it, and terminals obey control characters. */
function printable(facts: RequestFacts, header: string): string {
  const value = headerValues(facts, header).join(', ').slice(0, 80);
  return `"${value.replace(/[^ -~]/g, '?')}"`;
}
