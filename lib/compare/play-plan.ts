import { LISTINGS } from '@/lib/protocol/methods';
import type { RecordedCall, RecordedSession } from '@/lib/session/recorded-session';
import { JsonSource } from '@/lib/wire/json-source';
import { setMembers } from '@/lib/wire/json-text';
import { asksForMore } from './catalogue';
import { filledIn, hasPlaceholder, secretDigits } from './placeholders';

/** One thing to do when a recorded session is played to a server again. */
export type PlayStep =
  /** Send it, compare the answers. `params`: JSON text, without what the engine says in `_meta` by itself. */
  | { readonly kind: 'call'; readonly call: RecordedCall; readonly params: string | undefined }
  /** Read all pages of a list, of which this is the first. */
  | { readonly kind: 'list'; readonly call: RecordedCall }
  | { readonly kind: 'notice'; readonly method: string; readonly params: string | undefined }
  /** Leave it out, for this reason. */
  | { readonly kind: 'skip'; readonly call: RecordedCall; readonly why: string };

/** They belong to the handshake, or to what the engine does by itself. */
const ITS_OWN: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'subscriptions/listen',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
]);

const UNANSWERED = {
  cancelled: 'it was cancelled in the recording',
  timeout: 'nobody waited for its answer in the recording',
  lost: 'it has no answer in the recording',
  open: 'the recording ends before its answer',
};

/** What the client did, in order. `secrets`: values for placeholders, by their digits, as they stand within JSON strings. */
export function playPlan({ sent }: RecordedSession, secrets: ReadonlyMap<string, string>): readonly PlayStep[] {
  return sent.flatMap((message): readonly PlayStep[] => {
    const { method } = message;
    if (ITS_OWN.has(method)) return [];
    if (message.kind === 'notice') return [{ kind: 'notice', method, params: message.params }];
    if (LISTINGS.some(([known]) => known === method))
      return asksForMore(message) ? [] : [{ kind: 'list', call: message }];
    const why = whyNot(message, secrets);
    if (why !== undefined) return [{ kind: 'skip', call: message, why }];
    return [{ kind: 'call', call: message, params: playedParams(message, secrets) }];
  });
}

/** True for the answer of a poll (2025-11-25) to a task that goes on: it says as much of the clock as of the server. */
export function isUnderWay({ method }: Pick<RecordedCall, 'method'>, answer: string): boolean {
  if (method !== 'tasks/get') return false;
  const status = JsonSource.parse(answer)?.member('status')?.value;
  return status === 'working' || status === 'input_required';
}

function whyNot(call: RecordedCall, secrets: ReadonlyMap<string, string>): string | undefined {
  if (!call.answer) return UNANSWERED[call.unanswered?.why ?? 'open'];
  if (isUnderWay(call, call.answer.text)) return 'the task was under way, and how far depends on when one asks';
  const asked = call.during.filter((event) => event.kind === 'question').map(({ answer }) => answer?.text ?? '');
  return (
    takenOut('a value of its arguments', [call.params ?? ''], secrets) ??
    takenOut('a value of what the client answered during it', asked, secrets)
  );
}

/** What was taken out of these texts, and is not given; undefined if nothing is. */
function takenOut(what: string, texts: readonly string[], secrets: ReadonlyMap<string, string>): string | undefined {
  const left = texts.map((text) => filledIn(text, secrets)).filter(hasPlaceholder);
  if (left.length === 0) return undefined;
  const given = secretDigits(left.join(' ')).map((digits) => `\`--secret ${digits}=VALUE\``);
  const why = `${what} was taken out of the recording`;
  return given.length > 0 ? `${why}: give it with ${given.join(' ')}` : why;
}

/** The engine says these anew. */
const ANEW = [
  'progressToken',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/clientCapabilities',
];

function playedParams({ params }: RecordedCall, secrets: ReadonlyMap<string, string>): string | undefined {
  if (params === undefined) return undefined;
  const text = filledIn(params, secrets);
  const meta = JsonSource.parse(text)?.member('_meta');
  if (meta?.kind !== 'object') return text;
  const kept = meta.children(Number.POSITIVE_INFINITY, ANEW).children;
  const members = kept.map(({ name, source }) => `${JSON.stringify(name)}:${source.text}`);
  return setMembers(text, [['_meta', `{${members.join(',')}}`]]);
}
