import { type PublicUrl, publicUrlFor, readPublicUrl } from './addresses';
import { type GuardDecision, type GuardReason, headerValues, type RequestFacts, type RouteShape } from './guard';
import { bareReply, plainPage, type Reply } from './reply';

/**
 * Returns the response to a refused request: only its status. A browser that used an unknown address gets a page that
 * names the option for it. The page repeats the address only if it is a name of this machine, so a page that rebinds
 * its name learns nothing but that we are here.
 */
export function refusalReply(
  refusal: GuardDecision<RouteShape> & { readonly allow: false },
  facts: RequestFacts,
): Reply {
  const forPeople = headerValues(facts, 'accept').some((types) => types.includes('text/html'));
  if (refusal.reason !== 'host-foreign' || !forPeople) return bareReply(refusal.status);
  const suggested = publicUrlFor(headerValues(facts, 'host')[0]!);
  const option = `--page url=${suggested ?? 'https://HOST[:PORT][/PATH]'}`;
  const how =
    suggested === undefined
      ? 'Use the address as your browser shows it. If you did not set this address up, close this tab.'
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
    const option = suggested ? `\`--page url=${suggested}\`` : '`--page url` and the address that your browser shows';
    return `it was for the host ${printable(facts, 'host')}. If that is your port mapping, tunnel or ingress, restart with ${option}`;
  },
  'origin-foreign': (facts, publicUrl) =>
    `it came from a page of ${printable(facts, 'origin')}${originAdvice(facts, publicUrl)}`,
  'origin-missing': () => 'it asked for a WebSocket without an Origin header',
  preflight: () => 'a page of another site asked to send requests here',
  'path-unknown': () => 'its path is not in the API',
  method: () => 'its path does not accept its method',
  'content-type': () => 'its body was not JSON',
  token: () => 'it had no token of this run. If a page from an earlier run is still open, use a new link',
  subprotocol: () => 'its WebSocket did not offer our protocol',
};

/** Prints why requests are refused: each reason once a run, so that nobody can flood the terminal. */
export class RefusalNotes {
  readonly #printed = new Set<GuardReason>();
  readonly #terminal: (note: string) => void;
  readonly #publicUrl: PublicUrl | undefined;

  constructor(terminal: (note: string) => void, publicUrl?: PublicUrl) {
    this.#terminal = terminal;
    this.#publicUrl = publicUrl;
  }

  /** Prints one sentence, the first time. */
  print(reason: GuardReason, facts: RequestFacts): void {
    if (this.#printed.has(reason)) return;
    this.#printed.add(reason);
    this.#terminal(`Refused a request: ${SENTENCES[reason](facts, this.#publicUrl)}.`);
  }
}

/** Explains two common mistakes: the reverse proxy replaces Host, or the public URL has the wrong scheme. */
function originAdvice(facts: RequestFacts, publicUrl: PublicUrl | undefined): string {
  const origin = headerValues(facts, 'origin')[0] ?? '';
  if (publicUrl === undefined || readPublicUrl(origin)?.authority !== publicUrl.authority) return '';
  return origin === publicUrl.origin
    ? `, but its Host was ${printable(facts, 'host')}. Make the reverse proxy pass on the browser’s Host header`
    : `, and \`--page url\` says ${publicUrl.origin}`;
}

/** Returns a header that is safe to print: strangers write headers, and terminals obey control characters. */
function printable(facts: RequestFacts, header: string): string {
  const value = headerValues(facts, header).join(', ').slice(0, 80);
  return `"${value.replace(/[^ -~]/g, '?')}"`;
}
