import { useState } from 'react';
import { Combobox } from '@/components/ui/combobox';
import { Select } from '@/components/ui/select';
import { TextInput } from '@/components/ui/text-input';
import { visibleText } from '@/components/ui/visible-text';
import { sameJson } from '@/lib/schema/json';
import type { Choice } from '@/lib/schema/shape';
import { choiceLabel } from './choice-label';
import { aria, type ControlProps } from './control';
import { ghostText } from './ghost';

/** More choices are searched and not scrolled through. */
const MOST_LISTED = 20;
/** Choices that match a search and are shown. */
const MOST_FOUND = 50;

const UNSET = 'unset';

interface ChoicesProps extends ControlProps {
  readonly options: readonly Choice[];
}

/** One of some values of any type, or unset. Values are told apart by where they stand, so `1` and `"1"` stay two. */
function Choices(props: ChoicesProps) {
  const { options, view, value, id, readOnly, onChange } = props;
  const all = view.nullable ? [...options, { value: null }] : options;
  const { readOnly: _, ...said } = aria(props);
  if (readOnly) {
    const chosen = all.find((option) => sameJson(option.value, value));
    const text = chosen ? visibleText(choiceLabel(chosen, all)) : '';
    return (
      <TextInput id={id} readOnly value={text} placeholder={ghostText(view, value)} onChange={() => {}} {...said} />
    );
  }
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

/** Typing searches; what is typed and is no choice is sent as it stands. */
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

const BOOLEANS: readonly Choice[] = [{ value: true }, { value: false }];

export function BooleanControl(props: ControlProps<'boolean'>) {
  return <Choices {...props} options={BOOLEANS} />;
}
