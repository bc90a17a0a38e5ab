import type { NearbyAddresses, UrlTarget } from '@/lib/wire/command';
import type { AttemptFacts } from './attempt-facts';

/** The way to an answer, in the order that it is gone. */
export const STEPS = [
  { id: 'dns', title: 'DNS' },
  { id: 'tcp', title: 'TCP' },
  { id: 'tls', title: 'TLS' },
  { id: 'http', title: 'HTTP' },
  { id: 'authorization', title: 'Authorization' },
  { id: 'content', title: 'Content type' },
  { id: 'mcp', title: 'MCP version' },
] as const;

export type StepId = (typeof STEPS)[number]['id'];

/** Something that can be done about it at a press. */
export type Action =
  | { readonly kind: 'use-url'; readonly url: string; readonly transport: UrlTarget['transport'] }
  | { readonly kind: 'skip-verification' }
  | { readonly kind: 'look-further'; readonly where: NearbyAddresses };

/** What is wrong, and what to do: a sentence each. */
export interface Finding {
  readonly what: string;
  readonly advice: string;
  /** The frame that shows it best. */
  readonly seq?: number | undefined;
  readonly actions?: readonly Action[];
}

/** One thing that goes wrong, and how to tell. */
export interface Remedy {
  /** Stable. */
  readonly code: string;
  /** Where it goes wrong. */
  readonly step: StepId;
  /** The server may be at another path: worth looking for. */
  readonly elsewhere?: true;
  /** undefined: it isn't this. */
  find(facts: AttemptFacts): Finding | undefined;
}
