import {
  formatGivenUp,
  formatHeld,
  formatInterception,
  formatOverlay,
  formatRules,
} from '@/lib/store/rows/interception-labels';
import { formatClosingReason, formatMissing, formatSilentProbe } from '@/lib/store/rows/labels';
import { isInsecure } from '@/lib/store/rows/severity';
import { type Root, rootsIn } from '@/lib/wire/connection-settings';
import { countOf, formatDate } from '@/lib/wire/format';
import { type AuthorizationStep, type InputStep, type LifecycleEvent, validLifecycleEvent } from '@/lib/wire/lifecycle';

type LifecycleSentences = {
  readonly [N in LifecycleEvent['event']]: (event: Extract<LifecycleEvent, { event: N }>) => string;
};

const LIFECYCLE_SENTENCES: LifecycleSentences = {
  start: (event) =>
    `Connecting to ${event.name} (${'via' in event && event.via ? 'direct, ' : ''}${event.transport}, ${event.protocol === 'none' ? 'no handshake' : `protocol ${event.protocol}`}).${isInsecure(event) ? ' The server’s certificate is NOT verified.' : ''}${telemetrySentence(event)}`,
  fallback: (event) => `mcp-inspect tries HTTP+SSE instead of Streamable HTTP. ${event.reason}`,
  'look-further': (event) =>
    event.where === 'loopback'
      ? 'mcp-inspect now tries the other loopback address.'
      : event.where === 'host-requests'
        ? 'mcp-inspect now sends what only some hosts send.'
        : 'mcp-inspect now tries neighbouring addresses of the same server.',
  'session-lost': ({ reason }) =>
    `${reason === undefined ? '' : `${reason} `}The server has lost the session, so mcp-inspect opens a new one.`,
  unreachable: ({ message, advice }) => `The server is unreachable. ${message} ${advice} mcp-inspect keeps trying.`,
  reachable: ({ attempts }) =>
    `The server is reachable again${attempts === 0 ? '' : ` after ${countOf(attempts, 'attempt')}`}.`,
  authorization: authorizationSentence,
  'auth-step': (event) => {
    const what = event.step === 'keep' ? 'keep the sign-in' : `run only the step ${event.step}`;
    if (event.phase === 'failed') return `You chose to ${what}. ${event.message} ${event.advice}`;
    return event.phase === 'started' ? `You chose to ${what}.` : `Done: ${what}.`;
  },
  'auth-callback': ({ parameters }) => `The sign-in came back with ${parameters.map(([name]) => name).join(', ')}.`,
  spawned: (event) => `The server process started with pid ${event.pid}.`,
  probe: (event) =>
    `The server uses the ${event.era} era: ${event.reason}${event.respawn ? ' mcp-inspect starts it again.' : ''}`,
  'era-remembered': ({ era, at }) =>
    `An earlier run found the ${era} era (${formatDate(at)}), so mcp-inspect sends ${era === 'modern' ? 'only server/discover' : 'initialize without a probe'}.`,
  'era-forgotten': ({ reason }) =>
    `The remembered era was wrong: ${reason} mcp-inspect now sends its probe, server/discover.`,
  'probe-silent': ({ afterMs }) => formatSilentProbe(afterMs),
  open: ({ era, version }) =>
    version === undefined
      ? 'Connected without a handshake. mcp-inspect sends nothing on its own.'
      : `Connected with version ${version} (${era} era).`,
  'handshake-failed': ({ message, advice }) => `${message} ${advice} You can still send raw messages.`,
  timeout: (event) => `No response to ${event.method} (id ${JSON.stringify(event.id)}) within ${event.afterMs} ms.`,
  retry: (event) => `mcp-inspect sends ${event.method} (id ${JSON.stringify(event.id)}) again: ${event.reason}`,
  input: (event) => `${inputSentence(event)} (${event.method}, id ${JSON.stringify(event.id)}).`,
  task: ({ taskId, phase, reason }) =>
    `mcp-inspect ${phase === 'left' ? 'stopped following' : 'gave up'} task ${taskId}: ${reason}`,
  'standing-answer': (event) =>
    `A standing answer was sent for ${event.method} (${event.key === undefined ? '' : `${JSON.stringify(event.key)}, `}id ${JSON.stringify(event.id)}).`,
  profile: () => 'You changed the client settings, from the next request on.',
  roots: ({ roots }) => rootsSentence(rootsIn(roots)),
  'log-level': ({ level }) =>
    level === undefined
      ? 'Requests ask for no log messages from here on.'
      : `Requests ask for log messages of level ${level} and above from here on.`,
  closing: (event) => `Closing the connection: ${formatClosingReason(event.reason)}.`,
  rung: (event) =>
    event.rung === 'stdin-end'
      ? 'mcp-inspect closed the server’s stdin so that it can exit.'
      : `mcp-inspect sent ${event.rung}.`,
  exit: (event) => `The server ${exitText(event)}.`,
  'line-unended': (event) =>
    `The server printed this on stdout, and no newline after it, so no client reads it: ${event.text}`,
  'output-held': (event) => event.message,
  'spill-failed': (event) => event.message,
  'telemetry-dropped': (event) => event.reason,
  'recording-failed': (event) => event.message,
  failed: (event) => `${event.message} ${event.advice}`,
  note: ({ on, text, bookmark }) =>
    text === '' && !bookmark
      ? `Removed the note on #${on}.`
      : `${bookmark ? 'Bookmark' : 'Note'} on #${on}${text === '' ? '.' : `: ${text}`}`,
  about: ({ name, text }) =>
    name === '' && text === ''
      ? 'The recording was renamed back to its server’s name.'
      : `The recording was renamed to ${JSON.stringify(name)}${text === '' ? '.' : `: ${text}`}`,
  pins: (step) => {
    if (step.phase === 'started') return `Playing ${countOf(step.calls, 'pinned call')}.`;
    if (step.phase === 'ended') return step.why ?? 'All pinned calls were played.';
    return `“${step.name}” is ${step.verdict}.${step.why === undefined ? '' : ` ${step.why}`}`;
  },
  rules: formatRules,
  overlay: formatOverlay,
  held: formatHeld,
  'given-up': formatGivenUp,
  intercepted: formatInterception,
  'recording-ends': () => 'The recording ends here. Later frames are not in it.',
  missing: formatMissing,
  closed: () => 'Connection closed.',
};

const GRANTED_BY = {
  'sign-in': 'You signed in at',
  refresh: 'The token was refreshed by',
  earlier: 'mcp-inspect uses your earlier sign-in at',
  client: 'Without a person, a token was issued by',
};

/** Names the variables that the server got for its telemetry. */
function telemetrySentence(event: LifecycleEvent): string {
  const names = event.event === 'start' && event.transport === 'stdio' ? event.environment.telemetry : undefined;
  return names ? ` mcp-inspect set ${names.join(', ')}, so that the server sends its OpenTelemetry here.` : '';
}

function rootsSentence(roots: readonly Root[]): string {
  if (roots.length === 0) return 'mcp-inspect offers the server no roots.';
  return `mcp-inspect offers the server ${countOf(roots.length, 'root')}: ${roots.map(({ uri }) => uri).join(', ')}`;
}

function inputSentence(step: InputStep): string {
  if (step.phase === 'given') return `${JSON.stringify(step.key)} was answered`;
  if (step.phase === 'given-up') return `No input was given: ${step.reason}`;
  return 'The server needs input from you before it continues';
}

function authorizationSentence(step: AuthorizationStep): string {
  switch (step.phase) {
    case 'needed':
      return `The server requires you to sign in at ${step.issuer}${scopeList(step.scopes)}.`;
    case 'granted':
      return `${GRANTED_BY[step.by] ?? 'A token was issued by'} ${step.issuer}${scopeList(step.scopes)}.`;
    case 'refused':
      return `${step.message} ${step.advice}`;
    case 'signed-out':
      return 'You signed out. mcp-inspect deleted its tokens for this server.';
    default:
      return 'Authorization continued.';
  }
}

function scopeList(scopes: readonly string[]): string {
  return scopes.length === 0 ? '' : ` (scopes: ${scopes.join(' ')})`;
}

/** Describes how a process ended: "exited with code 1", "was ended by SIGTERM". */
export function exitText({ code, signal }: { readonly code: number | null; readonly signal: string | null }): string {
  if (signal !== null) return `was ended by ${signal}`;
  return code === null ? 'exited for an unknown reason' : `exited with code ${code}`;
}

/** Returns a sentence for a lifecycle frame, or undefined for an event this version doesn't know. */
export function lifecycleSentence(event: LifecycleEvent): string | undefined {
  // Recordings may come from anywhere and hold anything.
  if (!validLifecycleEvent(event) || !Object.hasOwn(LIFECYCLE_SENTENCES, event.event)) return undefined;
  // The table is keyed by the event's type, which TypeScript can't infer from an index.
  return (LIFECYCLE_SENTENCES[event.event] as (event: LifecycleEvent) => string)(event);
}
