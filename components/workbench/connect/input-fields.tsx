import { useId } from 'react';
import { classNames } from '@/components/ui/class-names';
import { FIELD, Select, TextInput } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import { type Answers, answerTo, type ConfigInput } from '@/lib/wire/config-inputs';

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
  const { id, description, options, secret, command, optional, several } = input;
  const aboutId = useId();
  const fieldId = useId();
  const about = [
    description,
    command !== undefined && `In an editor, the command ${command} supplies this value. Type it here.`,
    several && !secret && 'One value per line.',
    optional && 'Optional.',
  ]
    .filter((sentence) => sentence)
    .join(' ');
  const common = {
    label: <span className="font-mono text-wire">{visibleText(id)}</span>,
    'aria-describedby': about === '' ? undefined : aboutId,
    autoFocus,
    value,
    onChange,
  };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {options ? (
        <Select {...common} options={options} />
      ) : several && !secret ? (
        <>
          <label htmlFor={fieldId} className="font-mono text-muted text-wire">
            {visibleText(id)}
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
