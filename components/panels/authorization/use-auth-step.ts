import { useState } from 'react';
import { useClient } from '@/lib/hooks/client';
import type { Log } from '@/lib/store/log';
import type { AuthStep } from '@/lib/wire/auth-step';
import type { Failure } from '@/lib/wire/lifecycle';

/** Runs steps of authorization alone, one at a time. */
export interface AuthStepRunner {
  readonly running: AuthStep | undefined;
  /** True once a step was run here. */
  readonly hasRun: boolean;
  /** Why the last step failed. */
  readonly failure: Failure | undefined;
  run(step: AuthStep): void;
}

export function useAuthStep(log: Log): AuthStepRunner {
  const client = useClient();
  const [running, setRunning] = useState<AuthStep>();
  const [hasRun, setHasRun] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const run = async (step: AuthStep): Promise<void> => {
    setFailure(undefined);
    setRunning(step);
    setHasRun(true);
    try {
      await client.send({ type: 'auth-step', connection: log.connection, step });
    } catch (error) {
      setFailure(error as Failure);
    } finally {
      setRunning(undefined);
    }
  };
  return { running, hasRun, failure, run: (step) => void run(step) };
}
