import { useMemo, useRef, useState } from 'react';
import { chooseFile } from '@/components/form/insert-file';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import { ErrorNote } from '@/components/ui/notices';
import { moveFocus } from '@/components/ui/page-focus';
import { visibleText } from '@/components/ui/visible-text';
import { saveFile } from '@/components/untrusted/download';
import type { Log } from '@/lib/store/log';
import type { InterceptionState } from '@/lib/store/state/interception-state';
import { formatCount } from '@/lib/wire/format';
import { INTERCEPT_LIMITS, type InterceptRule, type ShownRule } from '@/lib/wire/intercept';
import type { Failure } from '@/lib/wire/lifecycle';
import { HOLD_EVERYTHING, type PageRules } from './page-rules';
import { freeName, PRESETS } from './presets';
import { NEW_RULE, ruleDraft } from './rule-draft';
import { RuleForm } from './rule-form';
import { OtherRules, RuleList } from './rule-list';
import { RuleUndo, useRuleChange } from './rule-undo';
import { isForPagesOnly, RULES_FILE, readRules, writeRules } from './rules-text';
import { useRuleForm } from './use-rule-form';

/** A button of the list that is large enough to be pressed, as the others. */
const TEXT_BUTTON =
  'inline-flex h-7 shrink-0 items-center rounded border border-line bg-raised px-2.5 text-ui text-text hover:border-control';

interface RulesViewProps {
  readonly log: Log;
  readonly page: PageRules;
  readonly state: InterceptionState;
  /** Why rules can't be turned on now. */
  readonly closed: string | undefined;
}

/** The rules of this page, which can be changed, and those of files and other tabs, which can't. */
export function RulesView({ log, page, state, closed }: RulesViewProps) {
  const [failure, setFailure] = useState<Failure>();
  const [exported, setExported] = useState<readonly InterceptRule[]>();
  const { rules } = page;
  const names = useMemo(() => new Set([HOLD_EVERYTHING.name, ...rules.map(({ name }) => name)]), [rules]);
  const { form, aside, open, change, close } = useRuleForm(log, names);
  const { change: done, add, remove, undo } = useRuleChange(page, names);
  // A rule that was deleted meanwhile is a new one.
  const edited = rules.find(({ name }) => name === form?.replaces)?.name;
  // Another form begins without the faults of the one before, and takes the focus.
  const formKey = `${aside.length} ${form?.from.name}`;
  const save = (rule: InterceptRule, replaces: string | undefined) => {
    page.save(rule, replaces);
    close();
  };
  const heading = useRef<HTMLHeadingElement>(null);
  const onUndo = () => {
    // The focused button disappears.
    moveFocus(heading.current);
    undo();
  };
  const isFull = rules.length >= INTERCEPT_LIMITS.rules - 1;
  const choose = (preset: InterceptRule) => {
    const rule = { ...preset, name: freeName(preset.name, names) };
    // The form says why it can't be turned on.
    if (closed !== undefined || isFull) open(ruleDraft(rule));
    else add(rule);
  };
  const importRules = async () => {
    setFailure(undefined);
    const text = await chooseFile('text');
    if (text === undefined) return;
    const read = readRules(text);
    if ('code' in read) return setFailure(read);
    const taken = new Set(names);
    const added = read.map((rule) => {
      const name = freeName(rule.name, taken);
      taken.add(name);
      return { ...rule, name };
    });
    if (rules.length + added.length >= INTERCEPT_LIMITS.rules) return setFailure(TOO_MANY);
    page.add(added);
  };
  const others = state.rules.filter((rule) => !isOurs(rule, page));
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 ref={heading} tabIndex={-1} className="mr-auto font-medium">
          Rules
        </h2>
        <Menu
          label="Add rule"
          className={TEXT_BUTTON}
          items={() => [
            ...PRESETS.map((preset) => ({ label: preset.name, run: () => choose(preset) })),
            { label: 'Another rule…', separatorBefore: true, run: () => open(NEW_RULE) },
          ]}
        >
          Add rule <Icon name="down" />
        </Menu>
        <Button disabled={isFull} onClick={() => void importRules()}>
          Import…
        </Button>
        <Button
          disabled={rules.length === 0}
          title={isForPagesOnly(rules) ? FOR_PAGES : undefined}
          onClick={() => {
            saveFile(writeRules(rules), RULES_FILE);
            setExported(rules);
          }}
        >
          Export
        </Button>
      </div>
      {failure && <ErrorNote codeless failure={failure} />}
      {exported === rules && isForPagesOnly(rules) && (
        <p role="status" className="text-warn">
          ! The file has rules that hold messages. A page can import it, but{' '}
          <code className="font-mono">--intercept</code> refuses it, because nobody could release them
        </p>
      )}
      {page.lost && (
        <p role="status" className="text-warn">
          ! The link to mcp-inspect was lost, which turned your rules off and released what they held
        </p>
      )}
      {aside.length > 0 && (
        <p role="status" className="text-muted">
          {aside.length === 1
            ? 'A form that you typed into comes'
            : `${formatCount(aside.length)} forms that you typed into come`}{' '}
          back when this one closes: {visibleText(aside.map(({ draft }) => draft.name || 'unnamed').join(', '))}
        </p>
      )}
      {form && edited === undefined && (
        <RuleForm
          key={formKey}
          log={log}
          draft={form.draft}
          onChange={change}
          replaces={undefined}
          taken={names}
          closed={closed}
          onSave={(rule) => save(rule, undefined)}
          onCancel={close}
        />
      )}
      {rules.length > 0 && (
        <RuleList
          {...{ page, closed }}
          taken={state.taken}
          onEdit={(rule) => open(ruleDraft(rule), rule.name)}
          onRemove={remove}
          edited={edited}
          form={
            form && (
              <RuleForm
                key={formKey}
                log={log}
                draft={form.draft}
                onChange={change}
                replaces={edited}
                taken={new Set([...names].filter((name) => name !== edited))}
                closed={closed}
                onSave={(rule) => save(rule, edited)}
                onCancel={close}
              />
            )
          }
        />
      )}
      {done && !(done.did === 'added' && edited === done.rule.name) && (
        <RuleUndo
          key={done.count}
          change={done}
          onUndo={done.did === 'deleted' && isFull ? undefined : onUndo}
          onEdit={() => open(ruleDraft(done.rule), done.rule.name)}
        />
      )}
      {rules.length === 0 && !form && <NoRules onChoose={choose} onOther={() => open(NEW_RULE)} />}
      {others.length > 0 && <OtherRules rules={others} taken={state.taken} />}
      <p className="text-small text-muted">
        Rules last for this tab and are off after a reload. The first matching rule applies.
      </p>
    </div>
  );
}

const FOR_PAGES = 'A file for pages: --intercept takes no rules that hold messages';

const TOO_MANY: Failure = {
  code: 'too-many-rules',
  message: `A page can have at most ${INTERCEPT_LIMITS.rules - 1} rules.`,
  advice: 'Delete some, or give the file by `--intercept FILE`.',
};

function isOurs(rule: ShownRule, { everything, on, rules }: PageRules): boolean {
  if (rule.file !== undefined) return false;
  const same = (own: InterceptRule) => own.name === rule.name && own.action.do === rule.do && own.when === rule.when;
  return (everything && same(HOLD_EVERYTHING)) || rules.some((own) => on.has(own.name) && same(own));
}

/** Says what rules are for, and offers the usual ones. */
function NoRules({
  onChoose,
  onOther,
}: {
  readonly onChoose: (preset: InterceptRule) => void;
  readonly onOther: () => void;
}) {
  return (
    <div className="flex flex-col gap-2">
      <p className="max-w-[68ch] text-muted">Hold, delay, change, drop, duplicate or fail matching messages.</p>
      <ul aria-label="Usual rules" className="flex max-w-[760px] flex-wrap gap-1.5">
        {PRESETS.map((preset) => (
          <li key={preset.name}>
            <Button size="small" onClick={() => onChoose(preset)}>
              {preset.name}
            </Button>
          </li>
        ))}
        <li>
          <Button size="small" onClick={onOther}>
            Another rule…
          </Button>
        </li>
      </ul>
    </div>
  );
}
