import { isInsecure } from '@/lib/store/lifecycle-severity';
import { missingWords } from '@/lib/store/missing-words';
import { probeSilentWords } from '@/lib/store/probe-words';
import { type Root, rootsIn } from '@/lib/wire/client-features';
import type { AuthorizationStep, InputStep, LifecycleEvent } from '@/lib/wire/lifecycle';
import { soundEvent } from '@/lib/wire/sound-event';

type Words = {
  readonly [N in LifecycleEvent['event']]: (event: Extract<LifecycleEvent, { event: N }>) => string;
};

const REASONS: Readonly<Record<Extract<LifecycleEvent, { event: 'closing' }>['reason'], string>> = {
  user: 'you disconnected',
  restart: 'you restarted it',
  'no-viewer': 'no page was open for the whole grace time',
  'page-gone': 'the page was closed or loaded again',
  shutdown: 'mcp-inspect is quitting',
  failure: 'the connection failed',
};

const WORDS: Words = {
  start: (event) =>
    `The connection to ${event.name} begins (${'via' in event && event.via ? 'direct, ' : ''}${event.transport}, ${event.protocol === 'none' ? 'no handshake' : `protocol ${event.protocol}`}).${isInsecure(event) ? ' The server’s certificate is NOT verified.' : ''}`,
  fallback: (event) => `HTTP+SSE is tried instead of Streamable HTTP. ${event.reason}`,
  'look-further': (event) =>
    event.where === 'loopback'
      ? 'You look further: the other loopback address is asked.'
      : 'You look further: neighbouring addresses of the same server are asked.',
  'session-lost': ({ reason }) =>
    `${reason === undefined ? '' : `${reason} `}The server has forgotten the session, so a new one is opened.`,
  unreachable: ({ message, advice }) => `The server is unreachable. ${message} ${advice} mcp-inspect keeps trying.`,
  reachable: ({ attempts }) => `The server is reachable again${attemptWords(attempts)}.`,
  authorization: authorizationWords,
  spawned: (event) => `The server process runs, pid ${event.pid}.`,
  probe: (event) =>
    `The server speaks the ${event.era} era: ${event.reason}${event.respawn ? ' It is started again.' : ''}`,
  'era-remembered': ({ era, at }) =>
    `An earlier run found the ${era} era (${at.slice(0, 16).replace('T', ' ')} UTC), so ${era === 'modern' ? 'only server/discover is sent' : 'initialize is sent without a probe'}.`,
  'era-forgotten': ({ reason }) => `The remembered era was wrong: ${reason} Our probe server/discover is sent now.`,
  'probe-silent': ({ afterMs }) => probeSilentWords(afterMs),
  open: ({ era, version }) =>
    version === undefined
      ? 'The connection is open without a handshake: mcp-inspect sends nothing by itself.'
      : `The connection is open: version ${version}, ${era} era.`,
  'handshake-failed': ({ message, advice }) => `${message} ${advice} Raw messages can still be sent.`,
  timeout: (event) => `No answer to ${event.method} (id ${JSON.stringify(event.id)}) within ${event.afterMs} ms.`,
  retry: (event) => `${event.method} (id ${JSON.stringify(event.id)}) is sent again: ${event.reason}`,
  input: (event) => `${inputWords(event)} (${event.method}, id ${JSON.stringify(event.id)}).`,
  roots: ({ roots }) => rootsWords(rootsIn(roots)),
  closing: (event) => `The connection is being closed: ${REASONS[event.reason] ?? event.reason}.`,
  rung: (event) =>
    event.rung === 'stdin-end' ? 'Its stdin was closed, so that the server can leave.' : `${event.rung} was sent.`,
  exit: (event) => `The server exited ${exitWords(event)}.`,
  'output-held': (event) => event.message,
  'spill-failed': (event) => event.message,
  'recording-failed': (event) => event.message,
  failed: (event) => `${event.message} ${event.advice}`,
  note: ({ on, text, bookmark }) =>
    text === '' && !bookmark
      ? `The note on #${on} is taken back.`
      : `${bookmark ? 'Bookmark' : 'Note'} on #${on}${text === '' ? '.' : `: ${text}`}`,
  about: ({ name, text }) =>
    name === '' && text === ''
      ? 'The recording has the name of its server again.'
      : `The recording is called ${JSON.stringify(name)}${text === '' ? '.' : `: ${text}`}`,
  'recording-ends': () => 'The recording ends here: what came after is not in it.',
  missing: missingWords,
  closed: () => 'The connection is closed.',
};

function attemptWords(attempts: number): string {
  if (attempts === 0) return '';
  return attempts === 1 ? ', after 1 attempt' : `, after ${attempts} attempts`;
}

const GRANTED_WORDS = {
  'sign-in': 'You are signed in at',
  refresh: 'The token was renewed by',
  earlier: 'You have been signed in before at',
};

function rootsWords(roots: readonly Root[]): string {
  if (roots.length === 0) return 'The server is told of no roots.';
  const told = roots.length === 1 ? 'this root' : `these ${roots.length} roots`;
  return `The server is told of ${told}: ${roots.map(({ uri }) => uri).join(', ')}`;
}

function inputWords(step: InputStep): string {
  if (step.phase === 'given') return `${JSON.stringify(step.key)} was answered`;
  if (step.phase === 'given-up') return `The input is not given: ${step.reason}`;
  return 'The server asks for input first, so a person is asked';
}

function authorizationWords(step: AuthorizationStep): string {
  switch (step.phase) {
    case 'needed':
      return `The server wants you to sign in at ${step.issuer}${forScopes(step.scopes)}.`;
    case 'granted':
      return `${GRANTED_WORDS[step.by] ?? 'A token came from'} ${step.issuer}${forScopes(step.scopes)}.`;
    case 'refused':
      return `${step.message} ${step.advice}`;
    case 'signed-out':
      return 'You signed out: the tokens for this server are forgotten.';
    default:
      return 'Authorization went on.';
  }
}

function forScopes(scopes: readonly string[]): string {
  return scopes.length === 0 ? '' : `, for ${scopes.join(' ')}`;
}

/** How a process ended: "with code 1", "by SIGTERM". */
export function exitWords({ code, signal }: { readonly code: number | null; readonly signal: string | null }): string {
  if (signal !== null) return `by ${signal}`;
  return code === null ? 'for an unknown reason' : `with code ${code}`;
}

/** A lifecycle frame as a sentence; undefined if it is an event that this version doesn't know. */
export function lifecycleWords(event: LifecycleEvent): string | undefined {
  // A recording is whatever somebody wrote.
  if (!soundEvent(event) || !Object.hasOwn(WORDS, event.event)) return undefined;
  // The table is keyed by the same union, which TypeScript can't follow through an index.
  return (WORDS[event.event] as (event: LifecycleEvent) => string)(event);
}
