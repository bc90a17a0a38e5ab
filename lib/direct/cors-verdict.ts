import type { Failure } from '@/lib/wire/lifecycle';

/** What is known about a request whose answer the browser kept from the page. */
export interface CorsFacts {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  /** Of the page. */
  readonly origin: string;
  /** The page is https, the server plain http on another machine. */
  readonly mixed: boolean;
  /** The browser does not let this page reach the local network. */
  readonly localDenied: boolean;
  /** Any answer came to a request that nobody may read. */
  readonly reachable: boolean;
  /** The answer to a request without any headers could be read. */
  readonly readable: boolean;
  /** Headers of the request, in lower case, that by themselves made it fail. */
  readonly refused: readonly string[];
}

interface Rule {
  readonly code: string;
  holds(facts: CorsFacts): boolean;
  message(facts: CorsFacts): string;
  readonly advice: string;
}

const EVERYWHERE =
  'Have the server send it with every answer, preflights and errors included; through the proxy no CORS is needed.';

/** Headers that only requests of the modern era have. */
const MODERN = ['mcp-method', 'mcp-name', 'mcp-protocol-version'];

/** In order: the first that holds is the verdict. */
const RULES: readonly Rule[] = [
  {
    code: 'mixed-content',
    holds: ({ mixed }) => mixed,
    message: ({ url }) =>
      `This page was loaded by https, so its browser forbids it the plain http of ${originOf(url)}.`,
    advice: 'Reach the server by https, or connect through the proxy.',
  },
  {
    code: 'local-network-denied',
    holds: ({ localDenied, reachable }) => localDenied && !reachable,
    message: ({ url }) => `The browser does not let this page reach ${originOf(url)}, which is on the local network.`,
    advice: 'Allow the local network for this page in the browser’s site settings, or connect through the proxy.',
  },
  {
    code: 'unreachable',
    holds: ({ reachable, readable }) => !reachable && !readable,
    message: ({ url }) => `${originOf(url)} does not answer the browser at all.`,
    advice:
      'Check that the server runs and the URL is right; for https, open the URL in a tab to see whether the browser trusts its certificate.',
  },
  {
    code: 'cors-origin',
    holds: ({ readable }) => !readable,
    message: ({ origin, url }) =>
      `${originOf(url)} answers, but lets no page of ${origin} read it: the header Access-Control-Allow-Origin is missing, or names another origin.`,
    advice: EVERYWHERE,
  },
  {
    code: 'cors-modern',
    holds: ({ refused }) => refused.length > 0 && refused.every((name) => MODERN.includes(name)),
    message: refusedHeaders,
    advice: EVERYWHERE,
  },
  { code: 'cors-headers', holds: ({ refused }) => refused.length > 0, message: refusedHeaders, advice: EVERYWHERE },
  {
    code: 'cors-methods',
    holds: ({ method }) => method === 'DELETE',
    message: () =>
      'The server does not let this page send DELETE: it is missing from the Access-Control-Allow-Methods of its answer to the preflight.',
    advice: EVERYWHERE,
  },
  {
    code: 'cors-answer',
    holds: () => true,
    message: ({ method }) =>
      `The server’s answer to this ${method} could not be read: it broke off, or has no Access-Control-Allow-Origin although others have it.`,
    advice: 'See that errors (401, 404, 500) have the CORS headers too; through the proxy no CORS is needed.',
  },
];

function refusedHeaders({ refused }: CorsFacts): string {
  const names = refused.join(', ');
  return `The server does not let this page send ${names}: missing from the Access-Control-Allow-Headers of its answer to the preflight (OPTIONS).`;
}

/** Why the browser kept the answer, with the header that is missing by its name. */
export function corsVerdict(facts: CorsFacts): Failure {
  const rule = RULES.find(({ holds }) => holds(facts))!;
  return { code: rule.code, message: rule.message(facts), advice: rule.advice };
}

function originOf(url: string): string {
  return new URL(url).origin;
}
