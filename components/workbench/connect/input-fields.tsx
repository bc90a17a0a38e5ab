import { useId } from 'react';
import { classNames } from '@/components/ui/class-names';
import { FIELD, Select, TextInput } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import { type Answers, answerTo, type ConfigInput, missingInputs } from '@/lib/wire/config-inputs';

/** Inputs that a sentence names. */
const NAMED = 3;

/** Says which inputs still need an answer; undefined if none does. */
export function missingInputsText(inputs: readonly ConfigInput[], answers: Answers): string | undefined {
  const names = missingInputs(inputs, answers).map(nameOf);
  if (names.length === 0) return undefined;
  const named = names.length > NAMED ? [...names.slice(0, NAMED - 1), `${names.length - NAMED + 1} more`] : names;
  const last = named.pop()!;
  return `To connect, fill in ${named.length > 0 ? `${named.join(', ')} and ` : ''}${last}`;
}

/** Returns the title of an input, else its id. Text of a config, made visible. */
function nameOf({ id, title }: ConfigInput): string {
  return visibleText(title ?? id);
}

/** Fields for the inputs that a config asks for: passwords are hidden, choices are a list. */
export function InputFields({
  inputs,
  answers,
  onAnswers,
  autoFocus = false,
}: {
  readonly inputs: readonly ConfigInput[];
  readonly answers: Answers;
  readonly onAnswers: (answers: Answers) => void;
  /** The first field takes the focus. */
  readonly autoFocus?: boolean;
}) {
  return inputs.map((input, index) => (
    <InputField
      key={input.id}
      input={input}
      value={answerTo(input, answers)}
      onChange={(value) => onAnswers(new Map(answers).set(input.id, value))}
      autoFocus={autoFocus && index === 0}
    />
  ));
}

function InputField({
  input,
  value,
  onChange,
  autoFocus,
}: {
  readonly input: ConfigInput;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus: boolean;
}) {
  const { id, title, description, options, secret, command, optional, several } = input;
  const aboutId = useId();
  const fieldId = useId();
  const about = [
    description && asSentence(description),
    command !== undefined && `In an editor, the command ${command} supplies this value. Type it here.`,
    several && !secret && 'One value per line.',
    optional && 'Optional.',
  ]
    .filter((sentence) => sentence)
    .join(' ');
  const label = (
    <span
      className={classNames(
        title === undefined && 'font-mono text-wire',
        // The field itself says that to screen readers.
        !optional && "after:text-error after:content-['_*'_/_'']",
      )}
      title={visibleText(id)}
    >
      {nameOf(input)}
    </span>
  );
  const common = {
    label,
    'aria-describedby': about === '' ? undefined : aboutId,
    autoFocus,
    value,
    onChange,
  };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {options ? (
        <Select {...common} required={!optional} options={options} />
      ) : several && !secret ? (
        <>
          <label htmlFor={fieldId} className="text-muted">
            {label}
          </label>
          <textarea
            id={fieldId}
            aria-describedby={common['aria-describedby']}
            rows={3}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            required={!optional}
            spellCheck={false}
            className={classNames(FIELD, 'h-auto py-1 font-mono text-wire')}
          />
        </>
      ) : (
        <TextInput
          mono
          {...common}
          required={!optional}
          type={secret ? 'password' : 'text'}
          autoComplete={secret ? 'new-password' : 'off'}
        />
      )}
      {about !== '' && (
        <p id={aboutId} className="break-words whitespace-pre-line text-muted">
          {visibleText(about)}
        </p>
      )}
    </div>
  );
}

/** Returns a text with a full stop, so that another sentence can follow. */
function asSentence(text: string): string {
  return /[.!?:…]\s*$/.test(text) ? text : `${text.trimEnd()}.`;
}
