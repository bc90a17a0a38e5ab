import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { moveFocus } from '@/components/ui/page-focus';
import { visibleText } from '@/components/ui/visible-text';
import type { InterceptRule } from '@/lib/wire/intercept';
import type { PageRules } from './page-rules';
import { freeName } from './presets';

/** A change of the list that can be undone. */
interface RuleChange {
  readonly did: 'added' | 'deleted';
  readonly rule: InterceptRule;
  /** Its place in the list, from 0. */
  readonly at: number;
  readonly on: boolean;
  /** Tells one change from the next. */
  readonly count: number;
}

/** Adds rules that are on at once, and deletes rules. Keeps the last of these changes until it is undone. */
export function useRuleChange(page: PageRules, names: ReadonlySet<string>) {
  const [change, setChange] = useState<RuleChange>();
  const changed = (next: Omit<RuleChange, 'count'>) =>
    setChange((before) => ({ ...next, count: (before?.count ?? 0) + 1 }));
  return {
    // A rule that was turned off meanwhile is not announced as on.
    change: change?.did === 'added' && !page.on.has(change.rule.name) ? undefined : change,
    add: (rule: InterceptRule) => {
      changed({ did: 'added', rule, at: page.rules.length, on: true });
      page.save(rule, undefined);
    },
    remove: (rule: InterceptRule) => {
      changed({ did: 'deleted', rule, at: page.rules.indexOf(rule), on: page.on.has(rule.name) });
      page.remove(rule.name);
    },
    undo: () => {
      if (!change) return;
      const { did, rule, at, on } = change;
      if (did === 'added') page.remove(rule.name);
      // Another rule may have its name now.
      else page.putBack({ ...rule, name: freeName(rule.name, names) }, at, on);
      setChange(undefined);
    },
  };
}

interface RuleUndoProps {
  readonly change: RuleChange;
  /** Missing while the rule can't be put back, because the list is full. */
  readonly onUndo: (() => void) | undefined;
  readonly onEdit: () => void;
}

/** Says which rule was added or deleted, and offers to undo it. */
export function RuleUndo({ change: { did, rule }, onUndo, onEdit }: RuleUndoProps) {
  const undo = useRef<HTMLButtonElement>(null);
  // The button that was pressed had the focus, and may be gone.
  useEffect(() => moveFocus(undo.current), []);
  const name = visibleText(rule.name);
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
      <span className="min-w-0 break-words">{did === 'added' ? `✓ “${name}” is on` : `Deleted ${name}`}</span>
      <Button ref={undo} size="small" disabled={onUndo === undefined} onClick={onUndo}>
        Undo
      </Button>
      {did === 'added' && (
        <Button size="small" onClick={onEdit}>
          Edit
        </Button>
      )}
    </p>
  );
}
