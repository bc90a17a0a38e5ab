import type { NumberedStream } from '@/lib/session/numbered-streams';

/** Where the messages about one request of the client's go, or, beside all requests, those about none. Texts are one line. */
export interface Outlet {
  /** Something besides the answer. */
  tell(text: string): void;
  /** The answer, the last thing. `status`: of the HTTP response, as it was recorded. */
  answer(text: string, status?: number): void;
  /** There will be no answer. */
  drop(): void;
  /** HTTP answers instead; absent where there is no HTTP. */
  refuse?(status: number, body: string): void;
  /** All of it is to be an event stream that its client can come back to; absent where there is none. */
  number?(stream: NumberedStream): void;
  /** Ends that stream as if it broke off: what is still to come waits for the client to come back. */
  cut?(): void;
}

/** JSON has line breaks between tokens only, where a space is the same, and a message is one line. */
export function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]/g, ' ') : json;
}

/** The text of an answer to request `id`, all JSON. */
export function answerText(id: string, kind: 'result' | 'error', json: string): string {
  return `{"jsonrpc":"2.0","id":${id},"${kind}":${oneLine(json)}}`;
}

/** The answer of a request that we refuse. `data` is a value, or absent. */
export function errorText(id: string, code: number, message: string, data?: unknown): string {
  return answerText(id, 'error', JSON.stringify({ code, message, ...(data !== undefined && { data }) }));
}

/** Collects the answers of a batch (2025-03-26), and hands them on as one. */
export function batchOutlets(count: number, outlet: Outlet): () => Outlet {
  const answers: string[] = [];
  let left = count;
  const done = (): void => {
    left--;
    if (left > 0) return;
    if (answers.length > 0) outlet.answer(`[${answers.join(',')}]`);
    else outlet.drop();
  };
  return () => ({
    tell: (text) => outlet.tell(text),
    answer: (text) => {
      answers.push(text);
      done();
    },
    drop: done,
  });
}
