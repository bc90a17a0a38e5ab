import { useProblems } from '@/lib/hooks/problems';
import type { Problem } from '@/lib/problems/problem';
import type { Log } from '@/lib/store/log';
import { PANEL_OF_CALL } from './panel-of-call';

/** Something of the server that has a view of its own. */
export interface Subject {
  readonly panel: 'tools' | 'prompts' | 'resources';
  /** Tool, prompt or URI. */
  readonly name: string;
}

const LISTS: ReadonlyMap<
  unknown,
  { readonly panel: Subject['panel']; readonly list: 'tools' | 'prompts' | 'resources' | 'templates' }
> = new Map([
  ['tools', { panel: 'tools', list: 'tools' }],
  ['prompts', { panel: 'prompts', list: 'prompts' }],
  ['resources', { panel: 'resources', list: 'resources' }],
  ['resourceTemplates', { panel: 'resources', list: 'templates' }],
]);

/** Most frames of a problem that are looked at. */
const MOST_FRAMES = 20;

/** Returns what a problem is about: what its frames call, or the entry of the newest list that it is in. */
export function subjectsOf(log: Log, { seqs, path }: Pick<Problem, 'seqs' | 'path'>): readonly Subject[] {
  const subjects = new Map<string, Subject>();
  for (const seq of seqs.slice(0, MOST_FRAMES)) {
    const subject = listed(log, seq, path) ?? called(log, seq);
    if (subject?.name) subjects.set(subject.name, subject);
  }
  return [...subjects.values()];
}

function listed(log: Log, seq: number, path: Problem['path']): Subject | undefined {
  const [root, member, place] = path ?? [];
  const one = root === 'result' ? LISTS.get(member) : undefined;
  if (!one || typeof place !== 'number') return undefined;
  const { items } = log.state[one.list];
  // The entries of a page follow one another.
  const entry = items[items.findIndex((item) => item.seq === seq) + place];
  return entry?.seq === seq ? { panel: one.panel, name: entry.key } : undefined;
}

function called(log: Log, seq: number): Subject | undefined {
  const { method, name } = log.row(seq - 1);
  const panel = PANEL_OF_CALL.get(method);
  return panel && name !== undefined ? { panel, name } : undefined;
}

type FirstProblems = Readonly<Record<Subject['panel'], ReadonlyMap<string, string>>>;

/** By the list of problems, since each group of *Browse* asks for its part. */
const FIRST = new WeakMap<readonly Problem[], FirstProblems>();

/** Returns the first problem of each tool, prompt or URI by its name, hints left out. */
export function useFirstProblems(log: Log, panel: Subject['panel']): ReadonlyMap<string, string> {
  const { all } = useProblems(log);
  const known = FIRST.get(all) ?? firstProblems(log, all);
  FIRST.set(all, known);
  return known[panel];
}

function firstProblems(log: Log, all: readonly Problem[]): FirstProblems {
  const first = {
    tools: new Map<string, string>(),
    prompts: new Map<string, string>(),
    resources: new Map<string, string>(),
  };
  for (const problem of all) {
    if (problem.severity === 'info') continue;
    for (const { panel, name } of subjectsOf(log, problem)) {
      if (!first[panel].has(name)) first[panel].set(name, problem.message);
    }
  }
  return first;
}
