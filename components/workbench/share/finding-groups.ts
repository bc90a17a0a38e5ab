import { type FindingPlace, type Findings, setsOf } from '@/lib/redact/findings';
import { SECRET_RULES, type SecretRank, type ShareDecision } from '@/lib/redact/rules';
import { type DetailKind, kindKey, type PersonalDetail } from '@/lib/sharing/personal-details';

/** A value that may be masked: a finding or a personal detail. */
export interface FindingRow {
  readonly id: string;
  /** The group's title, as in the middle of a sentence. */
  readonly label: string;
  /** Both ends of a secret; a masked value's placeholder; a personal detail. Untrusted text. */
  readonly value: string;
  /** Length of a secret in characters, 0 for others. */
  readonly length: number;
  readonly rank: SecretRank | undefined;
  /** Number of places. The first are listed. */
  readonly count: number;
  readonly places: readonly Pick<FindingPlace, 'seq' | 'path'>[];
  /** Applies unless the person decides otherwise; undefined if the value is masked already. */
  readonly decision: ShareDecision | undefined;
}

/** The values of one kind at one kind of place. */
export interface FindingGroup {
  /** The key of a decision about all of them. */
  readonly key: string;
  readonly title: string;
  /** The kind of place, such as a path; '' if it says nothing. Untrusted text. */
  readonly place: string;
  /** All of them, or those that a search found. */
  readonly rows: readonly FindingRow[];
  /** Number of rows without a search. */
  readonly total: number;
}

const DETAILS: { readonly [Kind in DetailKind]: string } = {
  cwd: 'working folder',
  environment: 'names of environment variables',
  note: 'note',
  name: 'name of the recording',
  about: 'note on the recording',
};

/** Key of the group of values that were masked while recording. */
const MASKED_KEY = 'masked';

/** Counts the values that were masked while recording, and their places. */
export function maskedBefore(groups: readonly FindingGroup[]): { readonly values: number; readonly places: number } {
  const rows = groups.find(({ key }) => key === MASKED_KEY)?.rows ?? [];
  return { values: rows.length, places: rows.reduce((sum, { count }) => sum + count, 0) };
}

/** Returns the values by kind and place: secrets, the surest first; personal details; values masked while recording. */
export function groupFindings({ list }: Findings, facts: readonly PersonalDetail[]): readonly FindingGroup[] {
  const groups = new Map<string, { readonly title: string; readonly place: string; readonly rows: FindingRow[] }>();
  const add = (key: string, title: string, row: FindingRow, place = '') => {
    const group = groups.get(key) ?? { title: capitalised(title), place, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  };
  // The list is sorted already: secrets first, by rank.
  for (const { key, kind, rule, place, findings } of setsOf(list)) {
    if (kind === 'masked') continue;
    for (const { id, label, sample, length, rank, count, places, decision } of findings) {
      const title = rule === '' ? label : SECRET_RULES[rule].label;
      add(key, title, { id, label, value: sample, length, rank, count, places, decision }, place);
    }
  }
  for (const { id, kind, what, value, seq } of facts) {
    const places = [{ seq, path: '' }];
    const row = { id, label: what, value, length: 0, rank: undefined, count: 1, places, decision: 'keep' } as const;
    add(kindKey(kind), DETAILS[kind], row);
  }
  for (const { id, kind, label, sample, count, places } of list) {
    if (kind !== 'masked') continue;
    const row = { id, label, value: sample, length: 0, rank: undefined, count, places, decision: undefined };
    add(MASKED_KEY, 'masked while recording', row);
  }
  return Array.from(groups, ([key, group]) => ({ key, ...group, total: group.rows.length }));
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the groups with only the rows that contain the text: in their kind, value, paths or frame numbers. */
export function searchGroups(groups: readonly FindingGroup[], text: string): readonly FindingGroup[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return groups;
  return groups.flatMap((group) => {
    const isWhole = `${group.title} ${group.place}`.toLowerCase().includes(wanted);
    const rows = isWhole ? group.rows : group.rows.filter((row) => contains(row, wanted));
    return rows.length === 0 ? [] : [{ ...group, rows }];
  });
}

function contains({ label, value, places }: FindingRow, wanted: string): boolean {
  return (
    label.toLowerCase().includes(wanted) ||
    value.toLowerCase().includes(wanted) ||
    places.some(({ seq, path }) => `#${seq}` === wanted || path.toLowerCase().includes(wanted))
  );
}

/** Decisions by the id of a row, or by the key of a group. */
export type ShareDecisions = ReadonlyMap<string, ShareDecision>;

/** Returns true if a row is masked, because of a decision or by default. */
export function isRowMasked(group: FindingGroup, { id, decision }: FindingRow, decisions: ShareDecisions): boolean {
  return (decisions.get(id) ?? decisions.get(group.key) ?? decision ?? 'mask') === 'mask';
}

/**
 * Returns the decisions after these rows of a group were masked or kept. If they are all of its rows, masking applies
 * to values without a row too. Keeping never does: nobody has seen them.
 */
export function decideRows(
  decisions: ShareDecisions,
  { key, total }: FindingGroup,
  rows: readonly FindingRow[],
  decision: ShareDecision,
): ShareDecisions {
  const next = new Map(decisions);
  for (const { id } of rows) next.set(id, decision);
  if (rows.length < total) return next;
  if (decision === 'mask') next.set(key, 'mask');
  else next.delete(key);
  return next;
}

/** A line of the list: a group, or one of its rows. */
export interface FindingLine {
  readonly group: FindingGroup;
  /** Undefined for the group itself. */
  readonly row: FindingRow | undefined;
}

/** Returns the lines to show: each group, and the rows of open ones. */
export function linesOf(groups: readonly FindingGroup[], isOpen: (key: string) => boolean): readonly FindingLine[] {
  return groups.flatMap((group) => [
    { group, row: undefined },
    ...(isOpen(group.key) ? group.rows.map((row) => ({ group, row })) : []),
  ]);
}
