import type { Severity } from '@/lib/problems/rule';
import type { AgentRecording } from '../agent-recording';

/** Something of a recording that an agent should look at. */
export interface AgentFinding {
  /** The id of a rule, or a code of this room. */
  readonly code: string;
  readonly severity: Severity;
  /** Among findings of the same severity, a higher one comes first. */
  readonly weight: number;
  readonly title: string;
  /** Text of the server or about it, with its secrets. */
  readonly detail?: string;
  /** Says what to do, or where to look. */
  readonly advice?: string;
  /** The frames that have it, oldest first, as far as they are listed. At least one. */
  readonly seqs: readonly number[];
  /** Number of frames that have it. */
  readonly count: number;
}

/** Looks for one kind of finding. Reads only messages that are in memory. */
export type EvidenceReader = (recording: AgentRecording) => readonly AgentFinding[];

/** Frames listed per finding. */
export const MOST_SEQS = 20;
/** Findings of one kind. */
const MOST_FINDINGS = 100;

/** Weights, so that the cause comes before what follows from it. */
export const WEIGHT = {
  connection: 100,
  exit: 95,
  silence: 90,
  lost: 85,
  rule: 70,
  clientRule: 58,
  request: 60,
  secret: 55,
  swallowed: 50,
  content: 45,
  list: 40,
  toolError: 75,
  slow: 30,
  stderr: 20,
} as const;

/** Collects findings that are the same apart from their frames. */
export class FindingGroups {
  readonly #groups = new Map<
    string,
    { finding: Omit<AgentFinding, 'seqs' | 'count'>; seqs: number[]; count: number }
  >();

  /** Adds a frame. `key` stands for the finding, which `make` returns at the first frame. */
  add(key: string, seq: number, make: () => Omit<AgentFinding, 'seqs' | 'count'>): void {
    let group = this.#groups.get(key);
    if (!group) {
      if (this.#groups.size >= MOST_FINDINGS) return;
      group = { finding: make(), seqs: [], count: 0 };
      this.#groups.set(key, group);
    }
    group.count++;
    if (group.seqs.length < MOST_SEQS) group.seqs.push(seq);
  }

  findings(): readonly AgentFinding[] {
    return [...this.#groups.values()].map(({ finding, seqs, count }) => ({ ...finding, seqs, count }));
  }
}
