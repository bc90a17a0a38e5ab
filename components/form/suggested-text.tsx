import { useEffect, useRef, useState } from 'react';
import type { Completion } from '@/components/exchange/use-complete';
import { Combobox } from '@/components/ui/combobox';
import { visibleText } from '@/components/ui/visible-text';
import { aria, type ControlProps, useForm } from './form-context';
import { brief, ghostText } from './labels';

/** Quiet time after a key before the server is asked to complete, and before arguments are checked. */
const COMPLETION_MS = 200;

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

/** What the server completes for one field: asked a moment after the last key, answers to older questions dropped. */
function useCompletion(name: string): {
  readonly completion: Completion | undefined;
  readonly state: 'idle' | 'asking' | 'failed';
  readonly ask: (text: string) => void;
} {
  const { complete } = useForm();
  const [answer, setAnswer] = useState<Completion>();
  const [state, setState] = useState<'idle' | 'asking' | 'failed'>('idle');
  const question = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const ask = (text: string) => {
    if (complete === undefined) return;
    question.current += 1;
    const mine = question.current;
    const settle = (completion: Completion | undefined) => {
      if (question.current !== mine) return;
      setAnswer(completion);
      setState(completion === undefined ? 'failed' : 'idle');
    };
    clearTimeout(timer.current);
    setState('asking');
    timer.current = setTimeout(() => {
      complete(name, text).then(settle, () => settle(undefined));
    }, COMPLETION_MS);
  };
  return { completion: answer, state, ask };
}
