import { useRef } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState, ErrorNote } from '@/components/ui/notices';
import { kindFacts } from '@/lib/auth-steps/step-kinds';
import { useAuthorization } from '@/lib/hooks/auth-steps';
import { useReadOnly } from '@/lib/hooks/connections';
import type { Log } from '@/lib/store/log';
import { countOf } from '@/lib/wire/format';
import { AuthStepItem, OUTCOMES } from './auth-step-item';
import { TokenFacts } from './token-facts';
import { useAuthStep } from './use-auth-step';

/** Each step of authorization with its request, its response and what comes next, and the newest token. */
export function AuthorizationPanel({ log }: { readonly log: Log }) {
  const { steps, omitted, token } = useAuthorization(log);
  const readOnly = useReadOnly(log);
  const runner = useAuthStep(log);
  const run = readOnly ? undefined : runner;
  const list = useRef<HTMLOListElement>(null);
  const last = steps.at(-1);
  if (steps.length === 0) {
    return (
      <EmptyState title="No authorization yet">
        Its steps appear here when the server asks for a token, or when a token is used
      </EmptyState>
    );
  }
  return (
    <div className="@container min-h-0 flex-1 overflow-auto p-3">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 @4xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          {run?.failure && <ErrorNote failure={run.failure} />}
          <TokenFacts log={log} token={token} run={run}>
            {run?.hasRun && last && (
              // The step itself may be out of sight.
              <p role="status" className="flex flex-wrap items-center gap-x-2 text-muted">
                <span>
                  Last step: {kindFacts(last.kind).title}, {OUTCOMES[last.outcome].word}
                </span>
                <Button
                  variant="ghost"
                  size="small"
                  onClick={() => list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' })}
                >
                  Show
                </Button>
              </p>
            )}
          </TokenFacts>
        </div>
        <section aria-label="Steps" className="min-w-0">
          <h2 className="mb-1 font-medium">Steps</h2>
          {omitted > 0 && <p className="text-muted">{countOf(omitted, 'earlier step')} left out. The log has them</p>}
          <ol ref={list} className="flex flex-col border-t border-line">
            {steps.map((step) => (
              <AuthStepItem key={`${step.seq} ${step.kind}`} log={log} step={step} run={run} />
            ))}
          </ol>
        </section>
      </div>
    </div>
  );
}
