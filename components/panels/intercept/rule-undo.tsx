import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { moveFocus } from '@/components/ui/page-focus';
import { visibleText } from '@/components/ui/visible-text';
import type { PageRules } from '@/lib/hooks/page-rules';
import type { InterceptRule } from '@/lib/wire/intercept';
import { freeName } from './presets';

interface DeletedRule {
  readonly rule: InterceptRule;
  /** Its place in the list, from 0. */
  readonly at: number;
  readonly on: boolean;
  /** Tells one deletion from the next. */
  readonly count: number;
}

/** Deletes rules, and keeps the last one that was deleted until it is put back. */
export function useDeletedRule(page: PageRules, names: ReadonlySet<string>) {
  const [deleted, setDeleted] = useState<DeletedRule>();
  return {
    deleted,
    remove: (rule: InterceptRule) => {
      const at = page.rules.indexOf(rule);
      setDeleted((before) => ({ rule, at, on: page.on.has(rule.name), count: (before?.count ?? 0) + 1 }));
      page.remove(rule.name);
    },
    putBack: () => {
      if (!deleted) return;
      const { rule, at, on } = deleted;
      // Another rule may have its name now.
      page.putBack({ ...rule, name: freeName(rule.name, names) }, at, on);
      setDeleted(undefined);
    },
  };
}

/** Says which rule was deleted, and offers to put it back. `onUndo` is missing while the list is full. */
export function RuleUndo({ name, onUndo }: { readonly name: string; readonly onUndo: (() => void) | undefined }) {
  const undo = useRef<HTMLButtonElement>(null);
  // The button that deleted it had the focus, and is gone.
  useEffect(() => moveFocus(undo.current), []);
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2 text-muted">
      <span className="min-w-0 break-words">Deleted {visibleText(name)}</span>
      <Button ref={undo} size="small" disabled={onUndo === undefined} onClick={onUndo}>
        Undo
      </Button>
    </p>
  );
}
