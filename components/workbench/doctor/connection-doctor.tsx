import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { ErrorNote } from '@/components/ui/error-note';
import { Spinner } from '@/components/ui/spinner';
import { visibleText } from '@/components/ui/visible-text';
import type { Diagnosis } from '@/lib/doctor/diagnose';
import { diagnosisText } from '@/lib/doctor/diagnosis-text';
import type { Action } from '@/lib/doctor/finding';
import type { StartEvent } from '@/lib/store/state';
import type { UrlTarget } from '@/lib/wire/command';
import { useCommand } from '../use-command';
import { actionTarget, actionWords } from './action-target';
import { DoctorSteps } from './doctor-steps';

/** Why a server at a URL can't be reached: the verdict, ways to mend it at a press, and the steps that lead to it. */
export function ConnectionDoctor({
  diagnosis,
  connection,
  start,
  onConnected,
  children,
}: {
  readonly diagnosis: Diagnosis;
  readonly connection: string;
  readonly start: Extract<StartEvent, { transport: UrlTarget['transport'] }>;
  readonly onConnected: (connection: string) => void;
  /** Further ways on, after the doctor's own. */
  readonly children: ReactNode;
}) {
  const { run, pending, failure } = useCommand();
  const [looking, setLooking] = useState(false);
  const { code, what, advice, actions, steps } = diagnosis;
  const act = async (action: Action) => {
    if (action.kind === 'look-further') {
      setLooking(true);
      await run({ type: 'look-further', connection, where: action.where });
      setLooking(false);
      return;
    }
    const target = actionTarget(action, connection, start);
    const made = await run({ type: 'connect', target, protocol: start.protocol });
    if (made !== undefined) onConnected(made);
  };
  return (
    <>
      <ErrorNote failure={{ code, message: visibleText(what), advice: visibleText(advice) }}>
        {actions.map((action) => (
          <Button
            key={JSON.stringify(action)}
            variant={action.kind === 'skip-verification' ? 'danger' : 'primary'}
            disabled={pending}
            onClick={() => void act(action)}
            title={TITLES[action.kind]}
            className="max-w-full"
          >
            <span className="truncate">
              {action.kind === 'look-further' ? 'Look further' : visibleText(actionWords(action, start.url))}
            </span>
          </Button>
        ))}
        {children}
        {looking && <Spinner label="Asking" />}
      </ErrorNote>
      {failure && <ErrorNote failure={failure} />}
      <section aria-label="Connection doctor" className="flex flex-col gap-1">
        <div className="flex items-center justify-between">
          <h3 className="text-muted">Connection doctor</h3>
          <CopyButton label="Copy as text" text={() => diagnosisText(diagnosis, start.url)} />
        </div>
        <DoctorSteps steps={steps} />
      </section>
    </>
  );
}

const TITLES: Readonly<Record<Action['kind'], string>> = {
  'look-further': 'Asks the usual addresses beside this one; each question and answer is in the log',
  'use-url': 'Connects once more, with this address',
  'skip-verification': 'Dangerous: whoever answers is believed, and gets your headers and messages',
};
