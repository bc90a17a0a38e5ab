import { countOf, formatBytes, formatDuration } from '@/lib/wire/format';
import type { GivenUpHold, HeldMessage, Interception, ShownRule } from '@/lib/wire/intercept';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';

const RECEIVERS: ReadonlyMap<string, string> = new Map([
  ['to-server', 'to the server'],
  ['to-client', 'to the client'],
]);

const DOES: ReadonlyMap<string, string> = new Map([
  ['hold', 'holds'],
  ['delay', 'delays'],
  ['drop', 'drops'],
  ['duplicate', 'duplicates'],
  ['replace', 'replaces'],
  ['error', 'answers with an error'],
  ['result', 'answers with a result'],
  ['answer-from', 'answers from a recording'],
  ['cut', 'cuts the stream at'],
]);

/** Lists the rules in force. */
export function formatRules({ rules }: { readonly rules: readonly ShownRule[] }): string {
  if (rules.length === 0) return 'No rule intercepts messages from here on.';
  const list = rules.map(({ name, do: action, when = '', direction, file }) => {
    const which = [when === '' ? 'every message' : when, RECEIVERS.get(direction ?? '')].filter(Boolean).join(' ');
    return `“${name}”${file === undefined ? '' : ` of ${file}`} ${DOES.get(action) ?? action} ${which}`;
  });
  return `${countOf(rules.length, 'rule')} in force: ${list.join('; ')}.`;
}

/** Says how the client sees the tools from here on, and whether it knows. */
export function formatOverlay({ text, file, notified }: Extract<LifecycleEvent, { event: 'overlay' }>): string {
  const what =
    text === undefined
      ? 'No overlay changes the tools from here on.'
      : `The client sees the tools as the overlay${file === undefined ? '' : ` ${file}`} says from here on.`;
  return notified === 0 ? what : `${what} mcp-inspect notified it of the change.`;
}

/** Says which message waits, and for what. */
export function formatHeld(held: HeldMessage): string {
  const until = held.ms === undefined ? 'until you decide' : `for ${formatDuration(held.ms * 1000)}`;
  return `Rule “${held.rule}” holds ${messageText(held)} (${formatBytes(held.bytes)}) ${until}.`;
}

/** Says who does not wait for a held message any more, and why. */
export function formatGivenUp(event: GivenUpHold): string {
  const { kind, direction, reason } = event;
  // A response goes to the side that made the request.
  const isAnswer = kind === 'response' || kind === 'error';
  const who = (direction === 'to-server') !== isAnswer ? 'The client' : 'The server';
  const named = messageText(event)
    .replace(/^the (?:response|error) to /, '')
    .replace(/ to the (?:server|client)$/, '');
  return `${who} cancelled ${named}, but ${isAnswer ? 'the response' : 'it'} is still held${reason === undefined ? '.' : `: ${reason}`}`;
}

const DID: ReadonlyMap<string, (event: Interception) => string> = new Map<string, (event: Interception) => string>([
  ['release', (event) => `${capital(messageText(event))} was passed on`],
  ['delay', (event) => `${capital(messageText(event))} was passed on`],
  ['pass', (event) => `${capital(messageText(event))} was passed on as it was`],
  ['drop', (event) => `${capital(messageText(event))} was dropped`],
  ['duplicate', (event) => `${capital(messageText(event))} was passed on ${countOf(event.delivered, 'time')}`],
  ['replace', (event) => `${capital(messageText(event))} was changed`],
  [
    'error',
    (event) => `${capital(messageText(event))} ${event.made ? 'was answered with' : 'became'} an error of mcp-inspect`,
  ],
  [
    'result',
    (event) => `${capital(messageText(event))} ${event.made ? 'was answered with' : 'became'} a result of mcp-inspect`,
  ],
  ['answer-from', (event) => `${capital(messageText(event))} was answered from a recording`],
  ['cut', (event) => `${capital(messageText(event))} was dropped, and its stream cut`],
  [
    'overlay',
    (event) =>
      `${capital(messageText(event))} was ${event.withheld ? 'refused, because the overlay hides its tool' : 'changed by the overlay'}`,
  ],
  ['progress', (event) => `mcp-inspect reports progress of ${messageText(event)}, which it holds`],
]);

const WHY: ReadonlyMap<string, string> = new Map([
  ['too-large', 'it is too large to be intercepted'],
  ['too-many', 'too many messages wait'],
  ['owner-gone', 'its rule is gone'],
  ['client-left', 'the client closed its request'],
  ['connection-ended', 'the connection has ended'],
  ['not-recorded', 'the recording has no answer to it'],
]);

/** Says what was done to a message, by which rule, and why. */
export function formatInterception(event: Interception): string {
  const { did, why, rule, waitedMs } = event;
  const parts = [
    DID.get(did)?.(event) ?? `${capital(messageText(event))} was intercepted`,
    waitedMs !== undefined && ` after ${formatDuration(waitedMs * 1000)}`,
    why !== undefined && `, because ${WHY.get(why) ?? why}`,
    rule !== undefined && ` (rule “${rule}”)`,
  ];
  return `${parts.filter(Boolean).join('')}.`;
}

/** Names a message: “tools/call (id 3) to the server”, “the response to tools/call (id 3)”. */
function messageText({
  kind,
  method,
  id,
  direction,
}: Pick<Interception, 'kind' | 'method' | 'id' | 'direction'>): string {
  const named = `${method ?? 'a message'}${id === undefined ? '' : ` (id ${JSON.stringify(id)})`}`;
  if (kind === 'response' || kind === 'error') return `the ${kind} to ${method === undefined ? 'a request' : named}`;
  return `${kind === 'batch' ? 'a batch' : named} ${RECEIVERS.get(direction) ?? direction}`;
}

/** Writes the first letter large, unless it belongs to a method. */
function capital(text: string): string {
  return /^(?:a|the) /.test(text) ? `${text[0]!.toUpperCase()}${text.slice(1)}` : text;
}
