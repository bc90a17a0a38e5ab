import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { moveFocus } from '@/components/ui/page-focus';
import { visibleText } from '@/components/ui/visible-text';
import type { TapChangeProps } from '@/features/page-feature';
import type { DiffLine } from '@/lib/wire/api';
import type { Failure } from '@/lib/wire/lifecycle';
import { useTapPlan } from './use-installs';

/** Shows how a host’s config would change, and changes it. */
export function TapChange({ id, name, host, action, isRepair, onWritten, onClose }: TapChangeProps) {
  const { plan, failure: unplanned, planAgain, change } = useTapPlan(id, action);
  const [state, setState] = useState<'shown' | 'writing' | 'written'>('shown');
  const [refused, setRefused] = useState<Failure>();
  const section = useRef<HTMLElement>(null);
  useEffect(() => moveFocus(section.current), []);
  const isShown = plan !== undefined;
  useEffect(() => {
    // The button is below the lines, and the section may begin at the end of the view.
    if (isShown) section.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  const write = async (digest: string) => {
    setState('writing');
    setRefused(undefined);
    try {
      await change(digest);
      setState('written');
      // The focused button disappears.
      moveFocus(section.current);
      onWritten();
    } catch (failure) {
      setRefused(failure as Failure);
      setState('shown');
      planAgain();
    }
  };
  const failure = refused ?? unplanned;
  const title = isRepair ? `Repair the tap of ${name}` : action === 'tap' ? `Tap ${name}` : `Untap ${name}`;
  return (
    <section ref={section} tabIndex={-1} aria-label={title} className="flex min-w-0 flex-col gap-2 px-2 pt-1 pb-3">
      {state === 'written' ? (
        <p role="status">Written. Restart the host, or reload its servers.</p>
      ) : (
        <>
          {failure && <ErrorNote failure={failure} />}
          {!plan && !failure && <Spinner label="Reading the config" />}
          {plan && <Change lines={plan.diff} {...plan} {...{ host, action, isRepair }} />}
        </>
      )}
      <div className="flex gap-2">
        {plan && state !== 'written' && (
          <Button variant="primary" disabled={state === 'writing'} onClick={() => void write(plan.digest)}>
            Write to config
          </Button>
        )}
        <Button onClick={onClose}>{state === 'written' ? 'Close' : 'Cancel'}</Button>
      </div>
    </section>
  );
}

interface ChangeProps extends Pick<TapChangeProps, 'host' | 'action' | 'isRepair'> {
  readonly lines: readonly DiffLine[];
  readonly path: string;
  readonly isProject?: true | undefined;
}

function Change({ lines, path, isProject, host, action, isRepair }: ChangeProps) {
  return (
    <>
      <p>
        {action === 'tap'
          ? `${host} will start this server through ${isRepair ? 'this ' : ''}mcp-inspect.`
          : `${host} will start this server itself again.`}
      </p>
      <p className="font-mono text-small break-all text-muted">{visibleText(path)}</p>
      <ol
        aria-label="Changed lines"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll it
        tabIndex={0}
        className="max-h-60 overflow-auto rounded border border-line bg-surface p-2 font-mono text-small"
      >
        {lines.map(({ sign, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
          <li key={at} className={classNames('flex gap-2', sign === ' ' && 'text-muted')}>
            <span className={classNames('w-2 shrink-0', COLOURS[sign])}>{sign}</span>
            <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">{visibleText(text)}</span>
          </li>
        ))}
      </ol>
      {isProject && action === 'tap' && (
        <p className="text-small text-warn">! The project’s config will have paths of this machine.</p>
      )}
    </>
  );
}

const COLOURS: Readonly<Record<DiffLine['sign'], string>> = { ' ': '', '-': 'text-error', '+': 'text-ok' };
