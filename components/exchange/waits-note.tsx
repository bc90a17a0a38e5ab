import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { navigate } from '@/lib/hooks/use-location';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';

/** Where a call of ours waits for the person, because the server asks them something first. */
export function WaitsNote({ log, call }: { readonly log: Log; readonly call: number }) {
  const question = useLogState(log, (state) => state.inbox.waiting.find(({ calls }) => calls.includes(call)));
  if (question === undefined) return null;
  const past = log !== log.whole;
  return (
    <p className="border-l-2 border-accent bg-accent/6 px-3 py-1">
      The server {past ? 'had asked' : 'asks you'} something (<UntrustedText text={question.method} limit={100} />
      ), and {past ? 'waited' : 'waits'}.{' '}
      <button
        type="button"
        className="text-accent underline"
        onClick={() => navigate({ panel: 'inbox', item: question.key })}
      >
        {past ? 'See it' : 'Answer it'} in the Inbox
      </button>
    </p>
  );
}
