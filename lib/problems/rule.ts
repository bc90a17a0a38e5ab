import type { Path } from '@/lib/protocol/checks';
import type { SpecTopic } from '@/lib/protocol/spec-pages';
import type { Frame } from '@/lib/wire/frame';
import type { HttpFrame } from '@/lib/wire/http-frame';
import type { ProtocolState, SeenMessage } from './protocol-state';

/** `error`: the specification forbids it · `warning`: it advises against it, or things break · `info`: worth knowing. */
export type Severity = 'error' | 'warning' | 'info';

/** The graver, the higher. */
export const SEVERITY_RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 };

/** What a rule says it found. */
export interface RuleFinding {
  /** One sentence about this very case. */
  readonly message: string;
  /** The field, from the message down. */
  readonly path?: Path;
  /** Other frames that it takes to understand it, besides the one being looked at. */
  readonly seqs?: readonly number[];
  /** Of rules that are about every method: where this one is described. */
  readonly topic?: SpecTopic;
  /** Where what to do depends on the version: that, in place of the rule's. */
  readonly advice?: string;
}

export type Report = (found: RuleFinding) => void;

/** What a rule looks at. All are called in the order of the log. */
export interface Checks {
  /** The kinds of messages that `message` is for; unsaid, all. */
  readonly kinds?: readonly SeenMessage['kind'][];
  /** A message, before the session knows of it. */
  message?(seen: SeenMessage, session: ProtocolState, report: Report): void;
  /** A frame that is no message; `text` is what it says. */
  junk?(frame: Frame, text: string, session: ProtocolState, report: Report): void;
  /** A protocol frame, whatever it is. `value` is its JSON; undefined for what is none. */
  frame?(
    frame: Frame,
    facts: { readonly value: unknown; readonly invalidUtf8: boolean },
    session: ProtocolState,
    report: Report,
  ): void;
  http?(frame: HttpFrame, session: ProtocolState, report: Report): void;
}

/** One thing that the protocol forbids, advises against or wants. */
export interface Rule {
  /** Stable: people search for it and suppress it by it. */
  readonly id: string;
  readonly severity: Severity;
  /** What is wrong, for a heading. */
  readonly title: string;
  readonly topic: SpecTopic;
  /** One sentence: what to do. */
  readonly advice: string;
  /** Makes the rule's checks for one log, with whatever they have to remember of it. */
  readonly checks: () => Checks;
}

/** A rule that looks at messages alone, of some kinds, and remembers nothing. */
export function messageRule(
  { kinds, ...rule }: Omit<Rule, 'checks'> & Pick<Checks, 'kinds'>,
  message: NonNullable<Checks['message']>,
): Rule {
  return { ...rule, checks: () => ({ ...(kinds && { kinds }), message }) };
}

/** A value from the wire within a sentence: quoted, and cut. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? 'undefined');
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

/** Whose message it is. */
export function senderName(direction: 'to-server' | 'to-client'): string {
  return direction === 'to-server' ? 'the client' : 'the server';
}
