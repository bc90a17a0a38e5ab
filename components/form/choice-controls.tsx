import { useState } from 'react';
import { Combobox } from '@/components/ui/combobox';
import { Checkbox, Select, TextInput } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { sameJson } from '@/lib/json/exact';
import type { FieldChoice } from '@/lib/schema/view-types';
import { aria, type ControlProps, type FieldViewProps, useForm } from './form-context';
import { brief, choiceLabel, ghostText } from './labels';

/** Up to so many choices are radio buttons in a form with titles. */
const MOST_RADIOS = 5;
/** More choices than this get a search box. */
const MOST_LISTED = 20;
/** Choices shown for a search. */
const MOST_FOUND = 50;

const UNSET = 'unset';

interface ChoicesProps extends ControlProps {
  readonly options: readonly FieldChoice[];
}

/** One of several values of any type, or unset. They are identified by index, so `1` and `"1"` stay distinct. */
function Choices(props: ChoicesProps) {
  const { options, view, value, id, readOnly, onChange } = props;
  const { titles } = useForm();
  const all = view.nullable ? [...options, { value: null }] : options;
  const { readOnly: _, ...said } = aria(props);
  if (readOnly) {
    const chosen = all.find((option) => sameJson(option.value, value));
    const text = chosen ? visibleText(choiceLabel(chosen, all)) : '';
    return (
      <TextInput id={id} readOnly value={text} placeholder={ghostText(view, value)} onChange={() => {}} {...said} />
    );
  }
  if (titles && all.length <= MOST_RADIOS) return <RadioChoices {...props} options={all} />;
  if (all.length > MOST_LISTED) return <SearchedChoices {...props} options={all} />;
  const index = value === undefined ? -1 : all.findIndex((option) => sameJson(option.value, value));
  return (
    <Select
      id={id}
      value={index < 0 ? UNSET : String(index)}
      onChange={(chosen) => onChange(chosen === UNSET ? undefined : all[Number(chosen)]!.value)}
      options={[
        { value: UNSET, label: view.default === undefined ? '—' : `— (${ghostText(view, undefined)})` },
        ...all.map((option, at) => ({ value: String(at), label: visibleText(choiceLabel(option, all)) })),
      ]}
      {...said}
    />
  );
}

/** A few choices as radio buttons. */
function RadioChoices({ options, value, id, describedBy, invalid, required, onChange, onBlur }: ChoicesProps) {
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy}
      aria-invalid={invalid || undefined}
      aria-required={required || undefined}
      className="flex min-w-0 flex-wrap gap-x-4"
    >
      {options.map((option, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: choices do not change
        <label key={index} className="inline-flex min-h-7 min-w-0 items-center gap-2">
          <input
            type="radio"
            name={id}
            checked={value !== undefined && sameJson(option.value, value)}
            onChange={() => onChange(option.value)}
            onBlur={onBlur}
            className="size-4 shrink-0 accent-accent"
          />
          <UntrustedText text={choiceLabel(option, options)} limit={120} />
        </label>
      ))}
    </div>
  );
}

/** A search box over many choices. Text that is not a choice is sent as typed. */
function SearchedChoices(props: ChoicesProps) {
  const { options, view, value, id, onChange, onBlur } = props;
  const [draft, setDraft] = useState<string>();
  const [opened, setOpened] = useState(false);
  const chosen = options.find((option) => sameJson(option.value, value));
  const shown = value === undefined ? '' : chosen ? choiceLabel(chosen, options) : String(value);
  const wanted = (draft ?? '').toLowerCase();
  const found = (opened ? options : [])
    .map((option, index) => ({ key: String(index), label: visibleText(choiceLabel(option, options)) }))
    .filter(({ label }) => label.toLowerCase().includes(wanted));
  return (
    <Combobox
      id={id}
      text={draft ?? visibleText(shown)}
      placeholder={ghostText(view, value) ?? `search ${options.length} choices`}
      onText={(text) => {
        setDraft(text);
        if (text === '') onChange(undefined);
      }}
      onOpen={() => setOpened(true)}
      options={found.slice(0, MOST_FOUND)}
      onChoose={({ key }) => {
        setDraft(undefined);
        onChange(options[Number(key)]!.value);
      }}
      onLeave={() => {
        const typed = draft?.trim();
        if (typed !== undefined && typed !== '') {
          const exact = options.find((option) => option.value === typed || choiceLabel(option, options) === typed);
          onChange(exact ? exact.value : typed);
        }
        setDraft(undefined);
        onBlur();
      }}
      foot={found.length > MOST_FOUND ? `${found.length - MOST_FOUND} more: type to search` : undefined}
      {...aria(props)}
    />
  );
}

export function EnumControl(props: ControlProps<'enum'>) {
  return <Choices {...props} options={props.view.options} />;
}

const BOOLEANS: readonly FieldChoice[] = [{ value: true }, { value: false }];

/** Returns true for a boolean that a checkbox shows. One that has to be decided is neither true nor false at first. */
export function isCheckbox({ view, required }: Pick<FieldViewProps, 'view' | 'required'>, titles: boolean): boolean {
  return titles && view.kind === 'boolean' && !view.nullable && !(required && view.default === undefined);
}

export function BooleanControl(props: ControlProps<'boolean'>) {
  const { value, id, readOnly, onChange } = props;
  const { titles } = useForm();
  if (isCheckbox(props, titles)) {
    return (
      <span className="flex min-h-7 items-center">
        <Checkbox id={id} checked={value === true} onChange={onChange} disabled={readOnly} {...aria(props)} />
      </span>
    );
  }
  return <Choices {...props} options={BOOLEANS} />;
}

interface MultiChoiceProps extends ControlProps<'array'> {
  readonly items: readonly unknown[];
  readonly options: readonly FieldChoice[];
}

/** A list of choices with a checkbox each. Values are sent in the order they were checked. */
export function MultiChoice({ items, options, value, id, label, describedBy, readOnly, onChange }: MultiChoiceProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: nested fieldsets are slow to lay out
    <div role="group" aria-label={label} aria-describedby={describedBy} className="flex min-w-0 flex-wrap gap-x-4">
      {options.map((option, index) => (
        <Checkbox
          // biome-ignore lint/suspicious/noArrayIndexKey: choices do not change
          key={index}
          id={index === 0 && value === undefined ? `${id}-first` : undefined}
          disabled={readOnly}
          checked={items.some((item) => sameJson(item, option.value))}
          onChange={(checked) =>
            onChange(checked ? [...items, option.value] : items.filter((item) => !sameJson(item, option.value)))
          }
          label={<UntrustedText text={choiceLabel(option, options)} limit={120} />}
        />
      ))}
    </div>
  );
}

/** A checkbox that sets or unsets the only allowed value. */
export function ConstControl(props: ControlProps<'const'>) {
  const { view, value, id, readOnly, onChange } = props;
  return (
    <span className="inline-flex min-h-7 items-center gap-2">
      <Checkbox
        id={id}
        checked={value !== undefined && sameJson(value, view.value)}
        onChange={(checked) => onChange(checked ? view.value : undefined)}
        disabled={readOnly}
        {...aria(props)}
      />
      <UntrustedText text={brief(view.value)} limit={120} className="font-mono text-wire" />
    </span>
  );
}
