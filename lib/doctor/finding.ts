import type { NearbyAddresses, UrlTarget } from '@/lib/wire/command';
import type { AttemptFacts } from './attempt-facts';

/** The steps of a connection, in order. */
export const STEPS = [
  { id: 'dns', title: 'DNS' },
  { id: 'proxy', title: 'HTTP proxy' },
  { id: 'tcp', title: 'TCP' },
  { id: 'tls', title: 'TLS' },
  { id: 'http', title: 'HTTP' },
  { id: 'authorization', title: 'Authorization' },
  { id: 'content', title: 'Content type' },
  { id: 'mcp', title: 'MCP version' },
] as const;

export type StepId = (typeof STEPS)[number]['id'];

/** A fix that a button offers. */
export type Action =
  | { readonly kind: 'use-url'; readonly url: string; readonly transport: UrlTarget['transport'] }
  | { readonly kind: 'skip-verification' }
  | { readonly kind: 'look-further'; readonly where: NearbyAddresses };

/** A fact, and the frame it comes from. */
export interface Evidence {
  readonly text: string;
  readonly seq?: number | undefined;
}

/** A cause and what to do about it. */
export interface DoctorFinding {
  readonly what: string;
  readonly advice: string;
  /** The frame that shows the cause best. */
  readonly seq?: number | undefined;
  readonly actions?: readonly Action[];
}

/** Advice for a transport that was chosen, and that the server may not have. */
export const LEAVE_OUT_TRANSPORT = 'Leave out `--transport`, or choose the transport auto.';

/** One kind of failure, and how to recognise it. */
export interface Remedy {
  /** Stable code, which people and scripts look for. */
  readonly code: string;
  /** The step that fails. */
  readonly step: StepId;
  /** True if the server may be at another path, so that "Try other addresses" is offered. */
  readonly elsewhere?: true;
  /** Returns undefined if this is not the cause. */
  find(facts: AttemptFacts): DoctorFinding | undefined;
}
