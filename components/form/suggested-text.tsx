import { Combobox } from '@/components/ui/combobox';
import { visibleText } from '@/components/ui/visible-text';
import { aria, type ControlProps } from './control';
import { brief, ghostText } from './ghost';
import { useCompletion } from './use-completion';

/** Suggestions shown at once. */
const MOST_SHOWN = 100;

/** Any text, with suggestions: those of the schema, or what the server completes. */
export function SuggestedText(props: ControlProps<'string'> & { readonly name: string }) {
  const { view, value, id, name, onChange, onBlur } = props;
  const text = typeof value === 'string' ? value : '';
  const { completion, ask, state } = useCompletion(name);
  const known = view.suggestions ?? [];
  const matching = known.filter(({ value, title }) =>
    `${value} ${title ?? ''}`.toLowerCase().includes(text.toLowerCase()),
  );
  // What is chosen already is no reason to hide the others.
  const listed = known.some((choice) => choice.value === text) ? known : matching;
  const options = [
    ...listed.map(({ value, title }) => ({
      key: String(value),
      label: visibleText(brief(value)),
      note: title && visibleText(title),
    })),
    ...(completion?.values ?? []).map((value) => ({ key: value, label: visibleText(brief(value)), note: undefined })),
  ];
  return (
    <Combobox
      id={id}
      text={text}
      placeholder={ghostText(view, value)}
      onText={(typed) => {
        onChange(typed);
        ask(typed);
      }}
      onOpen={() => ask(text)}
      options={options.slice(0, MOST_SHOWN)}
      onChoose={({ key }) => onChange(key)}
      onLeave={onBlur}
      foot={FOOTS[state] ?? (completion?.more ? 'The server has more: type to narrow them down.' : undefined)}
      {...aria(props)}
    />
  );
}

const FOOTS: Readonly<Record<string, string>> = {
  asking: 'Asking the server…',
  failed: 'The server gave no completions: see the log.',
};
