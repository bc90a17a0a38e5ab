import { type PublicUrl, publicUrlFor, readPublicUrl } from './addresses';
import { type Decision, type GuardReason, headerValues, type RequestFacts, type RouteShape } from './guard';
import { bareReply, plainPage, type Reply } from './reply';

/**
 * The answer to a refused request: its status and nothing else. A person whose browser came by an address that we don't
 * know gets a page that names the option for it. It is the same for every address, but for this machine's own names, so
 * it tells a page that rebinds its name nothing but that we are here.
 */
export function refusalReply(refusal: Decision<RouteShape> & { readonly allow: false }, facts: RequestFacts): Reply {
  const forPeople = headerValues(facts, 'accept').some((types) => types.includes('text/html'));
  if (refusal.reason !== 'host-foreign' || !forPeople) return bareReply(refusal.status);
  const suggested = publicUrlFor(headerValues(facts, 'host')[0]!);
  const option = `--public-url ${suggested ?? 'https://HOST[:PORT][/PATH]'}`;
  const how =
    suggested === undefined
      ? 'Give the address as your browser shows it. If you did not set this address up, close this tab.'
      : 'Write <code>https://</code> if your browser shows it.';
  return plainPage(
    refusal.status,
    'mcp-inspect does not answer at this address',
    `<p>If this is your port mapping, tunnel or ingress, restart mcp-inspect with this option:</p><pre>${option}</pre><p>${how}</p><p>Then open the link that it prints in a new tab.</p>`,
  );
}

type Sentence = (facts: RequestFacts, publicUrl: PublicUrl | undefined) => string;

const SENTENCES: Readonly<Record<GuardReason, Sentence>> = {
  'target-form': () => 'its target was not a plain path',
  'host-count': () => 'it had no Host header, or more than one',
  'host-foreign': (facts) => {
    const suggested = publicUrlFor(headerValues(facts, 'host')[0] ?? '');
    const option = suggested
      ? `\`--public-url ${suggested}\``
      : '`--public-url` and the address that your browser shows';
    return `it was meant for ${printable(facts, 'host')}. If that is your port mapping, tunnel or ingress, restart with ${option}`;
  },
  'origin-foreign': (facts, publicUrl) =>
    `it came from a page of ${printable(facts, 'origin')}${originAdvice(facts, publicUrl)}`,
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
  readonly #publicUrl: PublicUrl | undefined;

  constructor(terminal: (note: string) => void, publicUrl?: PublicUrl) {
    this.#terminal = terminal;
    this.#publicUrl = publicUrl;
  }

  /** One sentence, the first time. */
  tell(reason: GuardReason, facts: RequestFacts): void {
    if (this.#told.has(reason)) return;
    this.#told.add(reason);
    this.#terminal(`Refused a request: ${SENTENCES[reason](facts, this.#publicUrl)}.`);
  }
}

/** The two mistakes people make with a reverse proxy: it replaces Host, or the public URL has the wrong scheme. */
function originAdvice(facts: RequestFacts, publicUrl: PublicUrl | undefined): string {
  const origin = headerValues(facts, 'origin')[0] ?? '';
  if (publicUrl === undefined || readPublicUrl(origin)?.authority !== publicUrl.authority) return '';
  return origin === publicUrl.origin
    ? `, but its Host was ${printable(facts, 'host')}: have the reverse proxy pass Host on as the browser sends it`
    : `, and \`--public-url\` says ${publicUrl.origin}`;
}

/** A header as the terminal may show it: a stranger wrote it, and terminals obey control characters. */
function printable(facts: RequestFacts, header: string): string {
  const value = headerValues(facts, header).join(', ').slice(0, 80);
  return `"${value.replace(/[^ -~]/g, '?')}"`;
}
