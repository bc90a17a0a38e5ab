import { responseOf } from '@/components/exchange/outcome';
import { ErrorNote } from '@/components/ui/notices';
import type { PinChangedReply } from '@/features/check/lib/pins/pins-api';
import type { CallAction, CallActionProps } from '@/features/page-feature';
import { useClient } from '@/lib/hooks/client';
import { navigate } from '@/lib/hooks/location';
import { sharedByLog, useExchange, useFrameBytes } from '@/lib/hooks/log';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import type { Failure } from '@/lib/wire/lifecycle';
import { useChangePins } from './use-pins';

/** The last attempt to pin a call of a log. `seq` is that of its request. */
interface PinAttempt {
  readonly seq: number;
  readonly place: CallActionProps['place'];
  readonly done?: PinChangedReply;
  readonly failure?: Failure;
}

const ATTEMPTS = sharedByLog<PinAttempt | undefined>(undefined);

const NONE: readonly number[] = [];

/**
 * Returns a function that adds a call to the pins file, with its answer as the accepted one; undefined for frames that
 * are not part of a call of ours.
 */
function usePinCall({ log, request, place }: CallActionProps): (() => void) | undefined {
  const client = useClient();
  const change = useChangePins();
  const exchange = useExchange(log, request);
  // Asks for bytes that the page has dropped.
  useFrameBytes(log, exchange ? [exchange.requestSeq, exchange.responseSeq ?? exchange.requestSeq] : NONE);
  if (exchange?.direction !== 'to-server' || client.status === 'file') return undefined;
  const about = { seq: exchange.requestSeq, place };
  return () => {
    ATTEMPTS.set(log, undefined);
    const call = callOf(log, exchange);
    if (!client.api || !call) ATTEMPTS.set(log, { ...about, failure: client.api ? NOT_HERE : NEEDS_PROXY });
    else
      change({ kind: 'pin', ...call }).then(
        (done) => ATTEMPTS.set(log, { ...about, done }),
        (failure) => ATTEMPTS.set(log, { ...about, failure }),
      );
  };
}

/** Reads a call from the log; undefined if its bytes are not in the page. */
function callOf(log: Log, exchange: Exchange) {
  const { requestSeq, responseSeq, method, id } = exchange;
  if (!log.hasBytes(requestSeq) || (responseSeq !== undefined && !log.hasBytes(responseSeq))) return undefined;
  const params = messageSource(log, requestSeq, id)?.member('params')?.text;
  const response = responseOf(log, exchange);
  const [result, error] = [response?.result, response?.error];
  return {
    method,
    ...(params !== undefined && { params }),
    ...(result ? { answer: { kind: 'result', text: result.text } as const } : {}),
    ...(error && !result ? { answer: { kind: 'error', text: error.text } as const } : {}),
  };
}

/** Says where a call was pinned, or why it was not. */
function PinnedNote({ log, request, place }: CallActionProps) {
  const attempt = ATTEMPTS.use(log);
  if (!attempt || attempt.seq !== request || attempt.place !== place) return null;
  const { done, failure } = attempt;
  if (failure) return <ErrorNote codeless failure={failure} />;
  if (!done) return null;
  const { pins, key, again, masked } = done;
  return (
    <p role="status" className="min-w-0 break-words text-muted">
      {again ? 'Accepted this answer for the pinned call in ' : 'Pinned in '}
      <code className="font-mono text-wire" title={pins.path}>
        {fileName(pins.path)}
      </code>
      {masked && ', with secrets masked'}.{' '}
      {masked === 'call' && (
        <>
          Put <code className="font-mono text-wire">{REFERENCE}</code> in their place to run it.{' '}
        </>
      )}
      <button type="button" className="text-link" onClick={() => navigate({ panel: 'pins', item: key })}>
        Show in Pins
      </button>
    </p>
  );
}

/** Pins a call. */
export const pinCall: CallAction = { label: 'Pin the call', icon: 'pin', useRun: usePinCall, Note: PinnedNote };

// biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of a pins file
const REFERENCE = '${env:NAME}';

/** Returns the last part of a path. */
function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1)!;
}

const NEEDS_PROXY: Failure = {
  code: 'no-proxy',
  message: 'Pinned calls need the proxy, which writes them into your repository.',
  advice: 'Run `npx mcp-inspect` there, and use the page that it opens.',
};

const NOT_HERE: Failure = {
  code: 'not-here',
  message: 'The page has dropped this old message, and is fetching it.',
  advice: 'Try again in a moment.',
};
