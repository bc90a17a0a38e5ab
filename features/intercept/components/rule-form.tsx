import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { FilterBox } from '@/components/log/filter-box';
import { Button } from '@/components/ui/button';
import { Select, TextInput } from '@/components/ui/inputs';
import { moveFocus } from '@/components/ui/page-focus';
import { PASSING_KEYS, passingFault } from '@/features/intercept/lib/passing-filter';
import { useProblems } from '@/lib/hooks/problems';
import type { Log } from '@/lib/store/log';
import { INTERCEPT_LIMITS, type InterceptRule } from '@/lib/wire/intercept';
import { ErrorFields, FieldFault, JsonField } from './answer-fields';
import { isRule, type PageAction, type RuleDraft, type RuleFaults, ruleOf } from './rule-draft';
import { ACTION_LABELS } from './rule-words';

const DIRECTIONS = [
  { value: 'both', label: '⇄ Both directions' },
  { value: 'to-server', label: '→ To the server' },
  { value: 'to-client', label: '← To the client' },
] as const;

const ACTIONS = (Object.keys(ACTION_LABELS) as PageAction[]).map((value) => ({ value, label: ACTION_LABELS[value] }));

const SUGGESTED: ReadonlySet<string> = new Set(PASSING_KEYS);

interface RuleFormProps {
  readonly log: Log;
  readonly draft: RuleDraft;
  readonly onChange: (changes: Partial<RuleDraft>) => void;
  /** Name of the rule that is edited; undefined for a new one. */
  readonly replaces: string | undefined;
  /** Names of the other rules. */
  readonly taken: ReadonlySet<string>;
  /** Why rules can't be turned on now. */
  readonly closed: string | undefined;
  readonly onSave: (rule: InterceptRule) => void;
  readonly onCancel: () => void;
}

/** The form of a rule. Faults appear once the user tries to save. */
export function RuleForm(props: RuleFormProps) {
  const { log, draft, onChange, replaces, taken, closed, onSave, onCancel } = props;
  const [tried, setTried] = useState(false);
  const made = useMemo(() => ruleOf(draft, taken), [draft, taken]);
  const fault = useMemo(() => passingFault(draft.when), [draft.when]);
  const faults: RuleFaults = tried && !isRule(made) ? made : {};
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => moveFocus(form.current?.querySelector('input')), []);
  const save = () => {
    setTried(true);
    if (isRule(made) && !fault && closed === undefined) onSave(made);
    else if (!isRule(made) || fault) {
      // Once the faults are shown.
      requestAnimationFrame(() => moveFocus(form.current?.querySelector<HTMLElement>('[aria-invalid=true]')));
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  return (
    <form
      ref={form}
      aria-label={replaces === undefined ? 'New rule' : `Edit ${replaces}`}
      onSubmit={onSubmit}
      className="flex max-w-[960px] min-w-0 flex-col gap-2 border-l-2 border-accent bg-surface px-3 py-2"
    >
      <Row>
        <Text {...{ draft, faults, onChange }} field="name" label="Name" className="min-w-40 flex-[2_1_0]" />
        <Select
          label="Direction"
          className="w-44!"
          value={draft.direction}
          options={DIRECTIONS}
          onChange={(direction) => onChange({ direction })}
        />
      </Row>
      <WhenField {...{ log, draft, onChange }} fault={fault} onLeave={onCancel} />
      <Row>
        <Text {...{ draft, faults, onChange }} field="after" label="After the first" placeholder="0" className="w-28" />
        <Text {...{ draft, faults, onChange }} field="every" label="Every nth" placeholder="1" className="w-28" />
        <Text {...{ draft, faults, onChange }} field="times" label="At most" placeholder="no limit" className="w-28" />
        <Select
          label="What to do with a message"
          className="w-56!"
          value={draft.action}
          options={ACTIONS}
          onChange={(action) => onChange({ action })}
        />
        {draft.action === 'delay' && (
          <Text {...{ draft, faults, onChange }} field="ms" label="Delay in ms" className="w-28" />
        )}
        {draft.action === 'duplicate' && (
          <Text {...{ draft, faults, onChange }} field="copies" label="Copies" className="w-28" />
        )}
      </Row>
      <ActionFields {...{ draft, faults, onChange }} onSubmit={save} />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" disabled={closed !== undefined} title={closed}>
          {replaces === undefined ? 'Add rule' : 'Save rule'}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <span className="text-small text-muted">{closed ?? 'The rule takes effect when you add it'}</span>
      </div>
    </form>
  );
}

function Row({ children }: { readonly children: ReactNode }) {
  return <div className="flex min-w-0 flex-wrap items-start gap-2">{children}</div>;
}

interface FieldProps {
  readonly draft: RuleDraft;
  readonly faults: RuleFaults;
  readonly onChange: (changes: Partial<RuleDraft>) => void;
}

function Text({
  draft,
  faults,
  onChange,
  field,
  label,
  placeholder,
  className,
}: FieldProps & {
  readonly field: 'name' | 'after' | 'every' | 'times' | 'ms' | 'copies';
  readonly label: string;
  readonly placeholder?: string;
  readonly className: string;
}) {
  const id = useId();
  const fault = faults[field];
  return (
    <div className={className}>
      <TextInput
        label={label}
        value={draft[field]}
        onChange={(text) => onChange({ [field]: text })}
        {...(placeholder !== undefined && { placeholder })}
        {...(field === 'name' ? { maxLength: INTERCEPT_LIMITS.nameChars } : { inputMode: 'numeric' })}
        aria-invalid={fault !== undefined}
        aria-describedby={id}
      />
      <FieldFault id={id} fault={fault} />
    </div>
  );
}

/** The filter, with completions of the keys that are known as a message passes. */
function WhenField({
  log,
  draft,
  onChange,
  fault,
  onLeave,
}: Pick<RuleFormProps, 'log' | 'draft' | 'onChange'> & {
  readonly fault: ReturnType<typeof passingFault>;
  readonly onLeave: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const problems = useProblems(log);
  const subject = useMemo(() => ({ log, problems }), [log, problems]);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="text-muted">Messages that match</span>
      <FilterBox
        ref={input}
        label="Messages that match"
        placeholder="Every message. For example method:tools/call tool:echo"
        filter={draft.when}
        onFilter={(when) => onChange({ when })}
        fault={fault}
        faultText={undefined}
        subject={subject}
        keys={SUGGESTED}
        onLeave={onLeave}
      />
      <p role="status" className="text-small text-error empty:hidden">
        {fault && `× ${fault.message}`}
      </p>
    </div>
  );
}

/** The fields of the chosen action that need more room. */
function ActionFields({ draft, faults, onChange, onSubmit }: FieldProps & { readonly onSubmit: () => void }) {
  const id = useId();
  if (draft.action === 'error') {
    return <ErrorFields fields={draft} faults={faults} onChange={onChange} onSubmit={onSubmit} />;
  }
  if (draft.action !== 'result' && draft.action !== 'replace') return null;
  const field = draft.action === 'result' ? 'result' : 'text';
  const label = field === 'result' ? 'Result (JSON)' : 'Text to pass on, valid or not';
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="text-muted">{label}</p>
      <JsonField label={label} text={draft[field]} onChange={(text) => onChange({ [field]: text })} {...{ onSubmit }} />
      <FieldFault id={id} fault={faults[field]} />
    </div>
  );
}
