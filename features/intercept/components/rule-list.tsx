import { type ReactNode, useMemo, useRef, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Checkbox } from '@/components/ui/inputs';
import { MoveHandle } from '@/components/ui/move-handle';
import { visibleText } from '@/components/ui/visible-text';
import { countOf, formatCount } from '@/lib/wire/format';
import type { InterceptRule, ShownRule } from '@/lib/wire/intercept';
import { HOLD_EVERYTHING, type PageRules } from './page-rules';
import { actionWords, countWords, DOES, directionWords } from './rule-words';
import { shadowedRules } from './shadowed-rules';

interface RuleListProps {
  readonly page: PageRules;
  readonly closed: string | undefined;
  /** Number of messages that each rule took, by name. */
  readonly taken: ReadonlyMap<string, number>;
  /** The rule whose form is open, and the form. */
  readonly edited: string | undefined;
  readonly form: ReactNode;
  readonly onEdit: (rule: InterceptRule) => void;
  readonly onRemove: (rule: InterceptRule) => void;
}

/** The rules of this page in their order, which the user can change: the first that matches a message takes it. */
export function RuleList({ page, closed, taken, edited, form, onEdit, onRemove }: RuleListProps) {
  const { rules, on, everything } = page;
  const list = useRef<HTMLUListElement>(null);
  const [drag, setDrag] = useState<{ readonly name: string; readonly to: number }>();
  const [news, setNews] = useState('');
  const shadowed = useMemo(
    () => shadowedRules([...(everything ? [HOLD_EVERYTHING] : []), ...rules.filter(({ name }) => on.has(name))]),
    [rules, on, everything],
  );
  const move = (name: string, to: number) => {
    page.move(name, to);
    setNews(`${name}: ${to + 1} of ${rules.length}`);
  };
  const from = rules.findIndex(({ name }) => name === drag?.name);
  return (
    <>
      <ul ref={list} aria-label="Rules of this page" className="flex flex-col">
        {rules.map((rule, at) => (
          <li
            key={rule.name}
            className={classNames(
              'flex min-w-0 flex-wrap items-center gap-x-2 border-y py-1',
              drag?.name === rule.name && 'bg-accent/12',
              // The line at which a dragged rule would go.
              drag?.to === at && at < from ? 'border-t-accent' : 'border-t-line',
              drag?.to === at && at > from ? 'border-b-accent' : 'border-b-transparent',
            )}
          >
            {edited === rule.name ? (
              form
            ) : (
              <RuleItem
                rule={rule}
                handle={
                  rules.length > 1 && (
                    <MoveHandle
                      name={visibleText(rule.name)}
                      {...{ at, list }}
                      count={rules.length}
                      onMove={(to) => move(rule.name, to)}
                      onTarget={(to) => setDrag(to === undefined ? undefined : { name: rule.name, to })}
                    />
                  )
                }
                on={on.has(rule.name)}
                closed={closed}
                taken={taken.get(rule.name) ?? 0}
                shadowedBy={shadowed.get(rule.name)}
                onTurn={(turned) => page.turn(rule.name, turned)}
                onEdit={() => onEdit(rule)}
                onRemove={() => onRemove(rule)}
              />
            )}
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {visibleText(news)}
      </p>
    </>
  );
}

interface RuleItemProps {
  readonly rule: InterceptRule;
  readonly handle: ReactNode;
  readonly on: boolean;
  readonly closed: string | undefined;
  /** Number of messages that it took. */
  readonly taken: number;
  /** Name of an earlier rule that takes all of its messages. */
  readonly shadowedBy: string | undefined;
  readonly onTurn: (on: boolean) => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function RuleItem({ rule, handle, on, closed, taken, shadowedBy, onTurn, onEdit, onRemove }: RuleItemProps) {
  const name = visibleText(rule.name);
  return (
    <>
      {handle}
      <div className="min-w-0 flex-1 basis-56">
        <Checkbox
          label={<span className="break-words">{name}</span>}
          checked={on}
          disabled={closed !== undefined}
          title={closed}
          onChange={onTurn}
        />
        <p className="pl-6 text-small text-muted">
          <RuleSentence rule={rule} what={actionWords(rule.action)} />
        </p>
        {shadowedBy !== undefined && (
          <p className="pl-6 text-small text-warn">
            ! Takes nothing: “{visibleText(shadowedBy)}” comes first and takes the same messages
          </p>
        )}
      </div>
      {taken > 0 && <span className="tabular text-small text-muted">took {formatCount(taken)}</span>}
      <Button size="small" aria-label={`Edit ${name}`} onClick={onEdit}>
        Edit
      </Button>
      <Button size="small" aria-label={`Delete ${name}`} onClick={onRemove}>
        Delete
      </Button>
    </>
  );
}

function RuleSentence({
  rule: { direction, when = '', after, every, times },
  what,
}: {
  readonly rule: Omit<InterceptRule, 'action'>;
  readonly what: string;
}) {
  const counts = countWords({
    ...(after !== undefined && { after }),
    ...(every !== undefined && { every }),
    ...(times !== undefined && { times }),
  });
  return (
    <>
      {directionWords(direction)} ·{' '}
      {when === '' ? 'every message' : <code className="font-mono text-wire break-all">{visibleText(when)}</code>}
      {counts !== '' && ` · ${counts}`} · <span className="text-text">{visibleText(what)}</span>
    </>
  );
}

/** Rules that are in force, but not this page's. */
export function OtherRules({
  rules,
  taken,
}: {
  readonly rules: readonly ShownRule[];
  readonly taken: ReadonlyMap<string, number>;
}) {
  return (
    <section aria-label="Other rules in force">
      <h3 className="text-muted">Other rules in force ({countOf(rules.length, 'rule')})</h3>
      <ul className="flex flex-col">
        {rules.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat among owners
          <li key={index} className="flex min-w-0 flex-wrap items-center gap-x-2 border-t border-line py-1">
            <div className="min-w-0 flex-1 basis-64">
              <p className="break-words">{visibleText(rule.name)}</p>
              <p className="text-small text-muted">
                <RuleSentence rule={rule} what={DOES.get(rule.do) ?? rule.do} />
              </p>
            </div>
            {(taken.get(rule.name) ?? 0) > 0 && (
              <span className="tabular text-small text-muted">took {formatCount(taken.get(rule.name)!)}</span>
            )}
            <Badge title={rule.file === undefined ? 'Change it in that tab' : 'Change it in the file'}>
              {rule.file === undefined ? 'another tab' : visibleText(rule.file)}
            </Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}
