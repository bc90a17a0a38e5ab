import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LISTED_KINDS, type ListedKind } from './listed';
import {
  type CheckedSource,
  type CheckFacts,
  type CheckFinding,
  type CheckReport,
  findingsOf,
  type ListTexts,
  MOST_NAMES,
} from './report';
import { quotedName } from './tool-text';

/** An earlier report. */
export interface Baseline {
  /**
   * Fingerprints of its findings, which somebody has accepted, with the servers of a config they were accepted for.
   * undefined among them: for any server.
   */
  readonly accepted: ReadonlyMap<string, ReadonlySet<string | undefined>>;
  /** Facts of each of its sources, by name of the source. */
  readonly sources: ReadonlyMap<string, KnownFacts>;
  /** Names of the servers of a fleet; empty for another report. */
  readonly servers: readonly string[];
}

/** Facts of an earlier run. */
export type KnownFacts = Pick<CheckFacts, 'server' | 'version' | 'tokens' | 'names' | 'digests'>;

/** Rules whose findings no baseline accepts: they are about this run. */
const NEVER_ACCEPTED = /^(?:budget-|list-shrank$)/;

/**
 * Identifies a finding in later runs: its rule, path and message. Numbers do not count, because ids, times and indexes
 * differ between runs. Frames do not count either.
 */
export function fingerprintOf({ rule, path, message }: Pick<CheckFinding, 'rule' | 'path' | 'message'>): string {
  return JSON.stringify([rule, withoutNumbers(path ?? ''), withoutNumbers(message)]);
}

/** Hexadecimal ids of 8 or more digits, UUIDs, and numbers that are not part of a name. */
function withoutNumbers(text: string): string {
  return text
    .replace(/\b[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\b/gi, '0')
    .replace(/\b(?=[a-f]*\d)[0-9a-f]{8,}\b/gi, '0')
    .replace(/(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-])/g, '0');
}

/** Reads the report of an earlier run with `--json`. Returns a sentence if it is not one. */
export function readBaseline(text: string): Baseline | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  const problems = isObject(parsed) ? own(parsed, 'problems') : undefined;
  if (!Array.isArray(problems)) return 'it has no `problems`';
  const summary = own(parsed as JsonObject, 'summary');
  const sources = isObject(summary) ? named(own(summary, 'sources')) : [];
  const owners = new Map(sources.flatMap(([, source]) => problemsOf(source)));
  const accepted = new Map<string, Set<string | undefined>>();
  for (const [index, each] of problems.entries()) {
    if (!isObject(each)) return `problems[${index}] is not an object`;
    const [rule, path, message] = [own(each, 'rule'), own(each, 'path'), own(each, 'message')];
    if (typeof rule !== 'string' || typeof message !== 'string') return `problems[${index}] has no rule or message`;
    if (NEVER_ACCEPTED.test(rule)) continue;
    const fingerprint = fingerprintOf({ rule, path: typeof path === 'string' ? path : undefined, message });
    accepted.set(fingerprint, (accepted.get(fingerprint) ?? new Set()).add(owners.get(index)));
  }
  const servers = named(own(parsed as JsonObject, 'servers')).map(([name]) => name);
  return { accepted, servers, sources: new Map(sources.map(([name, source]) => [name, factsIn(source)])) };
}

/** Returns the objects of an array that have a name. */
function named(list: unknown): readonly (readonly [name: string, JsonObject])[] {
  return (Array.isArray(list) ? list : []).filter(isObject).flatMap((each) => {
    const name = own(each, 'name');
    return typeof name === 'string' ? [[name, each] as const] : [];
  });
}

/** Returns the places of a source's problems, each with the server of a config it belongs to. */
function problemsOf(source: JsonObject): readonly (readonly [place: unknown, server: string])[] {
  const [server, problems] = [own(source, 'entry'), own(source, 'problems')];
  return typeof server === 'string' && Array.isArray(problems) ? problems.map((place) => [place, server]) : [];
}

function factsIn(source: JsonObject): KnownFacts {
  const [names, digests, tokens] = [own(source, 'names'), own(source, 'digests'), own(source, 'tokens')];
  const [server, version] = [own(source, 'server'), own(source, 'version')];
  return {
    ...(typeof server === 'string' && { server }),
    ...(typeof version === 'string' && { version }),
    ...(typeof tokens === 'number' && { tokens }),
    ...(isObject(names) && { names: textsIn(names) }),
    ...(isObject(digests) && { digests: textsIn(digests) }),
  };
}

function textsIn(lists: JsonObject): ListTexts {
  return Object.fromEntries(
    LISTED_KINDS.flatMap((kind) => {
      const list = own(lists, kind);
      return Array.isArray(list) ? [[kind, list.filter((text) => typeof text === 'string')] as const] : [];
    }),
  );
}

/** Leaves out the findings that the baseline accepts, counts them, and adds lists that had more entries. */
export function withBaseline(report: CheckReport, baseline: Baseline): CheckReport {
  const seen = new Set<string>();
  const isAccepted = (finding: CheckFinding, entry: string | undefined): boolean => {
    const fingerprint = fingerprintOf(finding);
    const servers = baseline.accepted.get(fingerprint);
    if (!servers || NEVER_ACCEPTED.test(finding.rule)) return false;
    if (entry !== undefined && !servers.has(entry) && !servers.has(undefined)) return false;
    seen.add(fingerprint);
    return true;
  };
  const sources = report.sources.map((source) => ({
    ...source,
    steps: source.steps.map((step) => ({
      ...step,
      findings: step.findings.filter((one) => !isAccepted(one, source.entry)),
    })),
  }));
  const left = findingsOf({ sources }).length;
  return {
    ...report,
    sources: sources.map((source, at) => withShrunkLists(source, listsBefore(source, at, baseline, sources))),
    accepted: report.accepted + findingsOf(report).length - left,
    baseline: { problems: baseline.accepted.size, found: seen.size },
  };
}

/** Finds the lists of a source. The first sources belong together if all have other names, as commands differ. */
function listsBefore(
  { name }: CheckedSource,
  at: number,
  { sources: known }: Baseline,
  sources: readonly CheckedSource[],
): ListTexts | undefined {
  const lists = new Map([...known].flatMap(([each, { names }]) => (names ? [[each, names] as const] : [])));
  const isOther = at === 0 && !sources.some((source) => lists.has(source.name));
  return lists.get(name) ?? (isOther ? [...lists.values()][0] : undefined);
}

function withShrunkLists(source: CheckedSource, before: ListTexts | undefined): CheckedSource {
  const { names } = source.facts;
  // Without any list, the server was not reached, which is said already.
  if (!before || !names) return source;
  const findings = LISTED_KINDS.flatMap((kind) => shrunkFindings(kind, before[kind] ?? [], names[kind] ?? []));
  if (findings.length === 0) return source;
  return { ...source, steps: [...source.steps, { name: 'baseline', ms: 0, findings }] };
}

/** Most names of entries in a message. */
const SHOWN_NAMES = 5;

function shrunkFindings(kind: ListedKind, was: readonly string[], is: readonly string[]): readonly CheckFinding[] {
  const now = new Set(is);
  // A longer list was cut, so a missing entry may be in the rest.
  const isCut = was.length >= MOST_NAMES || is.length >= MOST_NAMES;
  const gone = isCut ? was.slice(is.length) : was.filter((name) => !now.has(name));
  if (gone.length === 0) return [];
  const shown = isCut ? [] : gone.slice(0, SHOWN_NAMES).map(quotedName);
  const more = gone.length - shown.length;
  const listed = [...shown, ...(more > 0 ? [`${more} ${isCut ? 'entries' : 'more'}`] : [])].join(', ');
  return [
    {
      rule: 'list-shrank',
      severity: 'warning',
      title: 'List with fewer entries than in the baseline',
      message: `${kind}: ${listed} of ${was.length} ${gone.length === 1 ? 'is' : 'are'} gone.`,
      path: kind,
      frames: [],
      spec: undefined,
      advice: 'Offer them again, or write a new baseline. Clients that use them fail.',
    },
  ];
}
