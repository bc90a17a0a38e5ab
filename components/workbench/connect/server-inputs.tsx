import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import type { ConfiguredServer } from '@/lib/wire/api';
import { type Answers, type GivenInput, givenInputs } from '@/lib/wire/config-inputs';
import { InputFields, missingInputsText } from './input-fields';
import { shownName } from './server-groups';

/** Asks for a server's inputs. Answers go to the proxy, which keeps them in memory only. */
export function ServerInputs({
  server,
  disabled,
  onConnect,
  onCancel,
}: {
  readonly server: ConfiguredServer;
  readonly disabled: boolean;
  readonly onConnect: (inputs: readonly GivenInput[]) => void;
  readonly onCancel: () => void;
}) {
  const [answers, setAnswers] = useState<Answers>(new Map());
  const inputs = server.inputs ?? [];
  const given = givenInputs(inputs, answers);
  const missing = missingInputsText(inputs, answers);
  const name = visibleText(shownName(server)).slice(0, 40);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (given && !disabled) onConnect(given);
  };
  return (
    <form aria-label={`Inputs of ${name}`} onSubmit={submit} className="flex flex-col gap-2 px-2 pt-1 pb-3">
      <InputFields inputs={inputs} answers={answers} onAnswers={setAnswers} autoFocus />
      <p className="text-muted">mcp-inspect does not save answers. Passwords are masked in recordings.</p>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" disabled={!given || disabled}>
          Connect {name}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
        {missing !== undefined && (
          <span role="status" className="text-muted">
            {missing}
          </span>
        )}
      </div>
    </form>
  );
}
