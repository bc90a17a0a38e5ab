import type { FaultPath } from '@/lib/protocol/checks';
import type { SpecTopic } from '@/lib/protocol/spec-pages';
import type { Frame } from '@/lib/wire/frame';
import type { HttpFrame } from '@/lib/wire/http-frame';
import type { ProtocolState, SeenMessage } from './protocol-state';

/** `error`: forbidden by the specification. `warning`: discouraged, or something may break. `info`: worth knowing. */
export type Severity = 'error' | 'warning' | 'info';

/** Higher is more severe. */
export const SEVERITY_RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 };

/** A rule's finding. */
export interface RuleFinding {
  /** One sentence about this case. */
  readonly message: string;
  /** Path of the field in the message. */
  readonly path?: FaultPath;
  /** The fault of the field at `path`, without its name: "is missing". */
  readonly fault?: string;
  /** Other frames that explain it. */
  readonly seqs?: readonly number[];
  /** Spec topic of the message's method, for rules about every method. */
  readonly topic?: SpecTopic;
  /** Replaces the rule's advice, for example where it depends on the version. */
  readonly advice?: string;
}

export type ReportFinding = (found: RuleFinding) => void;

/** A rule's checks for one log. They are called in the order of the log. */
export interface Checks {
  /** Kinds of messages that `message` checks; all if missing. */
  readonly kinds?: readonly SeenMessage['kind'][];
  /** Checks a message before `state` includes it. */
  message?(seen: SeenMessage, state: ProtocolState, report: ReportFinding): void;
  /** Checks a protocol frame that is not a message. `text` is its decoded content. */
  junk?(frame: Frame, text: string, state: ProtocolState, report: ReportFinding): void;
  /** Checks any protocol frame. `value` is undefined if it is not JSON. */
  frame?(
    frame: Frame,
    facts: { readonly value: unknown; readonly invalidUtf8: boolean },
    state: ProtocolState,
    report: ReportFinding,
  ): void;
  http?(frame: HttpFrame, state: ProtocolState, report: ReportFinding): void;
}

/** A rule of the protocol. */
export interface ProtocolRule {
  /** Never changes, because people filter by it. */
  readonly id: string;
  readonly severity: Severity;
  /** The problem in a few words, as a heading. */
  readonly title: string;
  readonly topic: SpecTopic;
  /** The fix, in one or two sentences. */
  readonly advice: string;
  /** Creates the checks for one log, with their own memory. */
  readonly checks: () => Checks;
}

/** Builds a rule that checks messages and has no memory. */
export function messageRule(
  { kinds, ...rule }: Omit<ProtocolRule, 'checks'> & Pick<Checks, 'kinds'>,
  message: NonNullable<Checks['message']>,
): ProtocolRule {
  return { ...rule, checks: () => ({ ...(kinds && { kinds }), message }) };
}

/** Formats a value from the wire for a sentence, as JSON of at most 80 characters. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  if (text.length <= 80) return text;
  return typeof value === 'string' ? `${text.slice(0, 78)}…"` : `${text.slice(0, 79)}…`;
}

export function senderName(direction: 'to-server' | 'to-client'): string {
  return direction === 'to-server' ? 'the client' : 'the server';
}
