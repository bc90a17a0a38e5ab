import { useSyncExternalStore } from 'react';
import { Menu } from '@/components/ui/menu';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { FieldProblem } from './problem-board';
import type { DocumentState } from './use-document';

/** Problems listed in the menu. */
const MOST_LISTED = 100;

const NONE: readonly FieldProblem[] = [];

/** How many problems the arguments have; pressed, it lists them, and each leads to its field. They keep nothing from being sent. */
export function ProblemCount({ document }: { readonly document: DocumentState }) {
  const { problems, reveal, setMode } = document;
  const all = useSyncExternalStore(
    problems.subscribe,
    () => problems.all,
    () => NONE,
  );
  if (!document.parsed.ok) return null;
  if (all.length === 0) {
    return problems.checked ? (
      <span role="status" aria-label="Problems" className="text-small text-muted">
        0 problems
      </span>
    ) : null;
  }
  const words = `${all.length} ${all.length === 1 ? 'problem' : 'problems'}`;
  const items = () =>
    all.slice(0, MOST_LISTED).map((problem) => ({
      label: <UntrustedText text={`${pathWords(problem)}: ${problem.text}`} limit={160} />,
      run: () => {
        setMode('Form');
        reveal.show(problem.path);
      },
    }));
  return (
    <Menu
      label={words}
      items={items}
      className="inline-flex h-[22px] items-center rounded px-1.5 text-small text-warn hover:bg-text/8"
    >
      ! {words}
    </Menu>
  );
}

function pathWords({ path }: FieldProblem): string {
  if (path.length === 0) return 'arguments';
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${key}`)).join('');
}
