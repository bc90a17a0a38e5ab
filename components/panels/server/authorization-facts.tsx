import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/error-note';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useClient } from '@/lib/hooks/use-client';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import type { Failure } from '@/lib/wire/lifecycle';
import { Fact, FactList } from './fact';

const BY_WORDS = { 'sign-in': 'from your sign-in', refresh: 'renewed without you', earlier: 'from an earlier sign-in' };

/** Who let us in, for what, and the way out. Nothing if nobody did. */
export function AuthorizationFacts({ log }: { readonly log: Log }) {
  const client = useClient();
  const step = useLogState(log, (all) => all.connection.authorization);
  const [failure, setFailure] = useState<Failure>();
  if (step?.phase !== 'granted') return null;
  const signOut = async () => {
    setFailure(undefined);
    try {
      await client.send({ type: 'sign-out', connection: log.connection });
    } catch (error) {
      setFailure(error as Failure);
    }
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <FactList title="Authorization">
        <Fact name="signed in at">
          <UntrustedText text={step.issuer} limit={300} className="font-mono text-wire" />
        </Fact>
        <Fact name="scopes">
          {step.scopes.length === 0 ? (
            'none named'
          ) : (
            <UntrustedText text={step.scopes.join(' ')} limit={600} className="font-mono text-wire" />
          )}
        </Fact>
        <Fact name="last token">{BY_WORDS[step.by]}</Fact>
      </FactList>
      <Button size="small" className="self-start" onClick={() => void signOut()}>
        Sign out
      </Button>
      {failure && <ErrorNote failure={failure} />}
    </div>
  );
}
