import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { SEVERITY_COLOUR, SEVERITY_GLYPH, SEVERITY_WORD } from '@/components/ui/badge';
import { Button, IconButton, Segmented } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { TextInput } from '@/components/ui/inputs';
import { EmptyState, Sentence } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { SpecLink } from '@/components/untrusted/links';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { WireName } from '@/components/untrusted/wire-name';
import { useFacts, useGap } from '@/lib/hooks/connections';
import { useDraft } from '@/lib/hooks/drafts';
import { navigate, useLocation } from '@/lib/hooks/location';
import { useLogSize, useLogState } from '@/lib/hooks/log';
import { useCheckedFrames, useProblems, useRulesStopped, useStartOfChecks } from '@/lib/hooks/problems';
import { formatPath, toPointer } from '@/lib/json/outline-path';
import type { Problem } from '@/lib/problems/problem';
import type { Severity } from '@/lib/problems/rule';
import type { Log } from '@/lib/store/log';
import { countOf, formatBytes, formatCount } from '@/lib/wire/format';
import { type Subject, subjectsOf } from '../shared/problem-subjects';

/** Problems of a group that are shown at first: all of a list with a fault in each of many entries. */
const SHOWN = 100;

/** Violations of the negotiated protocol version, grouped by rule. */
export function ProblemsPanel({ log }: { readonly log: Log }) {
  const list = useProblems(log);
  const checked = useCheckedFrames(log);
  const stopped = useRulesStopped(log);
  const start = useStartOfChecks(log);
  const damaged = useGap(log) === 'damage';
  const size = useLogSize(log);
  const version = useLogState(log, (state) => state.connection.version);
  const { item } = useLocation();
  const server = useLogState(log, ({ connection }) => connection.start?.name ?? '');
  const [level, setLevel] = useDraft<ProblemLevel>(`level of problems ${server}`, 'All');
  const [words, setWords] = useDraft(`search problems ${server}`, '');
  const groups = groupProblems(list.all, level, useDeferredValue(words), (problem) => subjectsOf(log, problem));
  const found = groups.flatMap(({ problems }) => problems);
  const at = found.findIndex(({ id }) => String(id) === item);
  const show = ({ id, seqs, path }: Problem) =>
    navigate({ item: String(id), frame: seqs[0], ...(path && { view: 'pretty', at: toPointer(path) }) });
  const left = size - checked;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-1">
        <Segmented label="Show" names={PROBLEM_LEVELS} chosen={level} onChoose={setLevel} />
        <div className="w-64 max-w-full">
          <TextInput
            type="search"
            aria-label="Filter problems"
            placeholder="Filter by rule, tool, text or field"
            value={words}
            onChange={setWords}
          />
        </div>
        {found.length > 0 && (
          <div className="flex items-center">
            <IconButton label="Previous problem" onClick={() => show(found.at(Math.max(at, 0) - 1)!)}>
              <Icon name="maximise" />
            </IconButton>
            <IconButton label="Next problem" onClick={() => show(found[(at + 1) % found.length]!)}>
              <Icon name="down" />
            </IconButton>
            <span className="tabular pl-1 text-muted">
              {at >= 0 && `${formatCount(at + 1)} of `}
              {countOf(found.length, 'problem')}
            </span>
          </div>
        )}
        <p role="status" className="ml-auto text-muted">
          {!start && progressText(left, size, stopped, version)}
        </p>
      </div>
      {damaged && (
        <p className="shrink-0 border-b border-line px-3 py-1 text-muted">
          This recording has gaps, so rules that need every frame (for example unmatched responses) are off.
        </p>
      )}
      <div className="min-h-0 flex-1 overflow-auto">
        {start ? (
          <NotChecked log={log} onStart={start} />
        ) : groups.length === 0 ? (
          <Nothing found={list.all.length > 0} checking={left > 0} stopped={stopped} />
        ) : (
          groups.map((group) => <Group key={group.rule} log={log} group={group} item={item} />)
        )}
      </div>
    </div>
  );
}

/** Returns how many frames the rules have checked. */
function progressText(left: number, size: number, stopped: boolean, version: string | undefined): string {
  if (left === 0) return `${countOf(size, 'frame')} checked${version === undefined ? '' : ` against ${version}`}`;
  const unchecked = `${formatCount(left)} of ${formatCount(size)} frames`;
  return stopped ? `Stopped: a frame took too long. ${unchecked} not checked` : `Checking: ${unchecked} left`;
}

/** Shown for a recording whose frames are fetched as they are needed. */
function NotChecked({ log, onStart }: { readonly log: Log; readonly onStart: () => void }) {
  const { from = '' } = useFacts(log) ?? {};
  return (
    <EmptyState title="Not checked">
      Checking fetches the whole recording, {formatBytes(log.totalBytes)}, from {visibleText(from)}.
      <span className="mt-2 block">
        <Button onClick={onStart}>Fetch and check all frames</Button>
      </span>
    </EmptyState>
  );
}

function Nothing({
  found,
  checking,
  stopped,
}: {
  readonly found: boolean;
  readonly checking: boolean;
  readonly stopped: boolean;
}) {
  if (found) return <EmptyState title="No problems match the filter" />;
  if (checking && stopped) return <EmptyState title="No problems in the checked frames" />;
  if (checking) return <EmptyState title="Checking…" />;
  return (
    <EmptyState title="No problems">
      Each frame is checked on arrival. Violations of the negotiated MCP version appear here
    </EmptyState>
  );
}

function Group({
  log,
  group,
  item,
}: {
  readonly log: Log;
  readonly group: ProblemGroup;
  readonly item: string | undefined;
}) {
  const { rule, severity, title, advice, section, url, problems } = group;
  const [wanted, setShown] = useState(SHOWN);
  const shown = Math.max(wanted, 1 + problems.findIndex(({ id }) => String(id) === item));
  return (
    <section aria-label={title} className="border-b border-line pb-1">
      {/* The rule, its fix and its link stay in view beside each of its problems. */}
      <header className="sticky top-0 z-1 bg-bg px-3 pt-2 pb-1">
        <h3 className="flex flex-wrap items-baseline gap-x-2 font-medium">
          <span className={SEVERITY_COLOUR[severity]}>
            <span aria-hidden="true">{SEVERITY_GLYPH[severity]} </span>
            {SEVERITY_WORD[severity]}
          </span>
          {title}
          <code className="font-normal text-small text-muted">{rule}</code>
        </h3>
        <p className="text-muted">
          <Sentence text={advice} />{' '}
          <span className="ml-1 text-small">
            <SpecLink section={section} url={url} />
          </span>
        </p>
      </header>
      <ul>
        {problems.slice(0, shown).map((problem) => (
          <ProblemItem
            key={problem.id}
            problem={problem}
            subjects={subjectsOf(log, problem)}
            group={group}
            chosen={String(problem.id) === item}
          />
        ))}
      </ul>
      {problems.length > shown && (
        <button type="button" onClick={() => setShown(shown + SHOWN)} className="px-3 text-link">
          Show {formatCount(Math.min(problems.length - shown, SHOWN))} more
        </button>
      )}
    </section>
  );
}

/** Most frames to link from one problem, and most tools and other subjects. */
const LINKED_FRAMES = 6;
const NAMED_SUBJECTS = 3;

/** One problem: message, path, frames and the link to the specification. */
export function ProblemItem({
  problem,
  subjects,
  group,
  chosen,
}: {
  readonly problem: Problem;
  /** The tools and other things that the problem is about. */
  readonly subjects: readonly Subject[];
  /** The problem shows its own advice and link to the specification only if they differ from the group's. */
  readonly group: Pick<ProblemGroup, 'advice' | 'url'>;
  readonly chosen: boolean;
}) {
  const { message, path, seqs, count, related, section, url } = problem;
  const shown = seqs.slice(0, LINKED_FRAMES);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (chosen) item.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <li
      ref={item}
      // The heading of the group stays in view above it.
      className={`scroll-mt-16 px-3 py-1.5 ${chosen ? 'bg-accent/12' : ''}`}
      aria-current={chosen || undefined}
    >
      <p className="break-words">
        {subjects.slice(0, NAMED_SUBJECTS).map(({ panel, name }) => (
          <button
            key={name}
            type="button"
            onClick={() => navigate({ panel, item: name })}
            className="mr-2 text-left font-mono text-link"
          >
            <WireName text={name} limit={120} />
          </button>
        ))}
        {subjects.length > NAMED_SUBJECTS && (
          <span className="mr-2 text-muted">and {formatCount(subjects.length - NAMED_SUBJECTS)} more</span>
        )}
        <UntrustedText text={message} limit={500} />
      </p>
      {problem.advice !== group.advice && (
        <p className="text-muted">
          <Sentence text={problem.advice} />
        </p>
      )}
      <p className="flex flex-wrap gap-x-3 text-small text-muted">
        {path !== undefined && path.length > 0 && (
          <code className="break-all">
            <UntrustedText text={formatPath(path)} limit={300} />
          </code>
        )}
        <span className="flex flex-wrap gap-x-2">
          {shown.map((seq) => (
            <FrameLink key={seq} seq={seq} label="Frame" at={path && toPointer(path)} />
          ))}
          {count > shown.length && <span>and {formatCount(count - shown.length)} more</span>}
        </span>
        {related.length > 0 && (
          <span className="flex flex-wrap gap-x-2">
            {related.map((seq) => (
              <FrameLink key={seq} seq={seq} label="see" />
            ))}
          </span>
        )}
        {url !== group.url && <SpecLink section={section} url={url} />}
      </p>
    </li>
  );
}

/** The problems of one rule. */
export interface ProblemGroup {
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
  readonly advice: string;
  readonly section: string;
  readonly url: string;
  readonly problems: readonly Problem[];
}

const ORDER: readonly Severity[] = ['error', 'warning', 'info'];

/** Severities to filter by. */
export const PROBLEM_LEVELS = ['All', 'Errors', 'Warnings', 'Info'] as const;
export type ProblemLevel = (typeof PROBLEM_LEVELS)[number];
const OF_LEVEL: Readonly<Record<ProblemLevel, Severity | undefined>> = {
  All: undefined,
  Errors: 'error',
  Warnings: 'warning',
  Info: 'info',
};

/**
 * Groups problems of a severity by rule: errors first, then in the order found. All words have to be in the problem or
 * in the name of a subject.
 */
export function groupProblems(
  problems: readonly Problem[],
  level: ProblemLevel,
  words: string,
  subjectsOf: (problem: Problem) => readonly Pick<Subject, 'name'>[],
): readonly ProblemGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, { first: Problem; problems: Problem[] }>();
  for (const problem of problems) {
    if (OF_LEVEL[level] !== undefined && problem.severity !== OF_LEVEL[level]) continue;
    const { rule, title, message, path = [] } = problem;
    const subjects =
      wanted.length === 0
        ? ''
        : subjectsOf(problem)
            .map(({ name }) => name)
            .join(' ');
    const text = `${rule} ${title} ${message} ${path.join('.')} ${subjects}`.toLowerCase();
    if (!wanted.every((word) => text.includes(word))) continue;
    const group = groups.get(rule);
    if (group) group.problems.push(problem);
    else groups.set(rule, { first: problem, problems: [problem] });
  }
  return [...groups.values()]
    .map(({ first: { rule, severity, title, advice, section, url }, problems: found }) => ({
      rule,
      severity,
      title,
      advice,
      section,
      url,
      problems: found,
    }))
    .sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}
