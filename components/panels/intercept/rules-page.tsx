import { useMemo, useState } from 'react';
import { chooseFile } from '@/components/form/insert-file';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/inputs';
import { Menu } from '@/components/ui/menu';
import { ErrorNote } from '@/components/ui/notices';
import { KeyHint } from '@/components/ui/shortcuts';
import { visibleText } from '@/components/ui/visible-text';
import { saveFile } from '@/components/untrusted/download';

import { HOLD_EVERYTHING, type PageRules } from '@/lib/hooks/page-rules';
import type { Log } from '@/lib/store/log';
import type { InterceptionState } from '@/lib/store/state/interception-state';
import { countOf, formatCount } from '@/lib/wire/format';
import { INTERCEPT_LIMITS, type InterceptRule, type ShownRule } from '@/lib/wire/intercept';
import type { Failure } from '@/lib/wire/lifecycle';
import { EVERYTHING_KEY } from './keys';
import { freeName, PRESETS } from './presets';
import { draftOf, NEW_RULE } from './rule-draft';
import { RuleForm } from './rule-form';
import { actionWords, countWords, DOES, directionWords } from './rule-words';
import { isForPagesOnly, RULES_FILE, readRules, writeRules } from './rules-text';
import { useRuleForm } from './use-rule-form';

/** A button of the list that is large enough to be pressed, as the others. */
const TEXT_BUTTON =
  'inline-flex h-7 shrink-0 items-center rounded border border-line bg-raised px-2.5 text-ui text-text hover:border-control';

interface RulesPageProps {
  readonly log: Log;
  readonly page: PageRules;
  readonly state: InterceptionState;
  /** Why rules can't be turned on now. */
  readonly closed: string | undefined;
}

/** The rules of this page, which can be changed, and those of files and other tabs, which can't. */
export function RulesPage({ log, page, state, closed }: RulesPageProps) {
  const [form, setForm] = useRuleForm(log);
  const [failure, setFailure] = useState<Failure>();
  const [exported, setExported] = useState<readonly InterceptRule[]>();
  const { rules } = page;
  const names = useMemo(() => new Set([HOLD_EVERYTHING.name, ...rules.map(({ name }) => name)]), [rules]);
  const isFull = rules.length >= INTERCEPT_LIMITS.rules - 1;
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
        <h2 className="mr-auto font-medium">Rules</h2>
        <Menu
          label="Add rule"
          className={TEXT_BUTTON}
          items={() => [
            ...PRESETS.map((preset) => ({
              label: preset.name,
              run: () => setForm({ draft: { ...preset, name: freeName(preset.name, names) } }),
            })),
            { label: 'Another rule…', separatorBefore: true, run: () => setForm({ draft: NEW_RULE }) },
          ]}
        >
          Add rule ▾
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
          ! The file has rules that hold messages. A page can import it, but <code className="font-mono">--rules</code>{' '}
          refuses it, because nobody could release them
        </p>
      )}
      {page.lost && (
        <p role="status" className="text-warn">
          ! The link to mcp-inspect was lost, which turned your rules off and released what they held
        </p>
      )}
      {form && form.replaces === undefined && (
        <RuleForm
          log={log}
          draft={form.draft}
          onChange={(changes) => setForm({ draft: { ...form.draft, ...changes } })}
          replaces={undefined}
          taken={names}
          closed={closed}
          onSave={(rule) => {
            page.save(rule, undefined);
            setForm(undefined);
          }}
          onCancel={() => setForm(undefined)}
        />
      )}
      {rules.length > 0 && (
        <ul aria-label="Rules of this page" className="flex flex-col">
          {rules.map((rule) =>
            form?.replaces === rule.name ? (
              <li key={rule.name}>
                <RuleForm
                  log={log}
                  draft={form.draft}
                  onChange={(changes) => setForm({ ...form, draft: { ...form.draft, ...changes } })}
                  replaces={rule.name}
                  taken={new Set([...names].filter((name) => name !== rule.name))}
                  closed={closed}
                  onSave={(next) => {
                    page.save(next, rule.name);
                    setForm(undefined);
                  }}
                  onCancel={() => setForm(undefined)}
                />
              </li>
            ) : (
              <RuleItem
                key={rule.name}
                rule={rule}
                on={page.on.has(rule.name)}
                closed={closed}
                taken={state.taken.get(rule.name) ?? 0}
                onTurn={(on) => page.turn(rule.name, on)}
                onEdit={() => setForm({ draft: draftOf(rule), replaces: rule.name })}
                onRemove={() => page.remove(rule.name)}
              />
            ),
          )}
        </ul>
      )}
      {rules.length === 0 && !form && <NoRules onAdd={(draft) => setForm({ draft })} />}
      {others.length > 0 && <OtherRules rules={others} taken={state.taken} />}
      <p className="text-small text-muted">
        Rules work while this tab is open. They are kept for this tab, and are off after a reload. The first rule that
        matches counts. <KeyHint keys={EVERYTHING_KEY} /> holds everything.
      </p>
    </div>
  );
}

const FOR_PAGES = 'A file for pages: --rules takes no rules that hold messages';

const TOO_MANY: Failure = {
  code: 'too-many-rules',
  message: `A page can have at most ${INTERCEPT_LIMITS.rules - 1} rules.`,
  advice: 'Delete some, or give the file by `--rules FILE`.',
};

function isOurs(rule: ShownRule, { everything, on, rules }: PageRules): boolean {
  if (rule.file !== undefined) return false;
  const same = (own: InterceptRule) => own.name === rule.name && own.action.do === rule.do && own.when === rule.when;
  return (everything && same(HOLD_EVERYTHING)) || rules.some((own) => on.has(own.name) && same(own));
}

interface RuleItemProps {
  readonly rule: InterceptRule;
  readonly on: boolean;
  readonly closed: string | undefined;
  /** Number of messages that it took. */
  readonly taken: number;
  readonly onTurn: (on: boolean) => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function RuleItem({ rule, on, closed, taken, onTurn, onEdit, onRemove }: RuleItemProps) {
  const name = visibleText(rule.name);
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-2 border-t border-line py-1">
      <div className="min-w-0 flex-1 basis-64">
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
      </div>
      {taken > 0 && <span className="tabular text-small text-muted">took {formatCount(taken)}</span>}
      <Button size="small" aria-label={`Edit ${name}`} onClick={onEdit}>
        Edit
      </Button>
      <Button size="small" aria-label={`Delete ${name}`} onClick={onRemove}>
        Delete
      </Button>
    </li>
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
function OtherRules({
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

/** Says what rules are for, and offers the usual ones. */
function NoRules({ onAdd }: { readonly onAdd: (draft: (typeof PRESETS)[number]) => void }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="max-w-[68ch] text-muted">
        A rule holds matching messages until you release, change, drop or answer them. Or it does that without you: it
        delays, drops, duplicates or fails them, to see what the other side does then.
      </p>
      <ul aria-label="Usual rules" className="flex max-w-[760px] flex-wrap gap-1.5">
        {PRESETS.map((preset) => (
          <li key={preset.name}>
            <Button size="small" onClick={() => onAdd(preset)}>
              {preset.name}
            </Button>
          </li>
        ))}
        <li>
          <Button size="small" onClick={() => onAdd(NEW_RULE)}>
            Another rule…
          </Button>
        </li>
      </ul>
    </div>
  );
}
