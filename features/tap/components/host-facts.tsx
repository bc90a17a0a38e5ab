import { FrameLink } from '@/components/exchange/frame-link';
import { Fact, FactList } from '@/components/panels/shared/fact-list';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useLogTimes } from '@/lib/hooks/times';
import { leafPaths } from '@/lib/host/client-facts';
import type { AnswerUse } from '@/lib/host/host-reader';
import type { HostView } from '@/lib/host/host-view';
import type { GivenUp, HostWaits } from '@/lib/host/waits';
import { evidenceText, identityText, stepFacts, waitsText } from '@/lib/host/words';
import { textOrJson } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { countOf, formatCount, formatDuration } from '@/lib/wire/format';

/** Cancelled requests that are shown; the log has the others. */
const SHOWN_GIVEN_UP = 5;
/** Earlier ways of presenting itself that are shown. */
const SHOWN_IDENTITIES = 3;
/** Capabilities that are shown. Real clients declare fewer than ten. */
const SHOWN_CAPABILITIES = 20;
/** Members of `clientInfo` that have a line of their own. */
const NAMED: ReadonlySet<string> = new Set(['name', 'title', 'version', 'icons']);

/** Who the host says it is. */
export function ClientFacts({ view }: { readonly view: HostView }) {
  const { identities, clients, host, era, version } = view;
  const identity = identities.at(-1);
  const capabilities = [...leafPaths(identity?.capabilities ?? {})];
  const others = Object.entries(identity?.info ?? {}).filter(([name]) => !NAMED.has(name));
  return (
    <FactList title="Host">
      <Fact name="name">
        {identity ? <UntrustedText text={identityText(identity)} limit={300} /> : 'It has not sent its name yet'}
      </Fact>
      <Fact name="clients">
        {clients > 1 &&
          `${formatCount(clients)}, by their initialize requests. The server gives no session id, so a tap can’t tell equal hosts apart`}
      </Fact>
      <Fact name="tapped as">{host !== undefined && <UntrustedText text={host} limit={100} />}</Fact>
      {others.slice(0, 10).map(([name, value]) => (
        <Fact key={name} name={name.slice(0, 40)}>
          <UntrustedText text={textOrJson(value)} limit={300} />
        </Fact>
      ))}
      <Fact name="protocol">{version === undefined ? 'no handshake yet' : `${version}, ${era} era`}</Fact>
      <Fact name="asked for">
        {identity?.version !== undefined && identity.version !== version && (
          <UntrustedText text={identity.version} limit={100} />
        )}
      </Fact>
      <Fact name="capabilities">
        {identity && capabilities.length === 0 && 'It declares none'}
        {capabilities.length > 0 && (
          <ul>
            {capabilities.slice(0, SHOWN_CAPABILITIES).map(([path, value]) => (
              <li key={path} className="font-mono text-wire">
                <UntrustedText text={value === '{}' ? path : `${path}: ${value}`} limit={200} />
              </li>
            ))}
            {capabilities.length > SHOWN_CAPABILITIES && (
              <li className="text-muted">… and {capabilities.length - SHOWN_CAPABILITIES} more in the frame</li>
            )}
          </ul>
        )}
      </Fact>
      <Fact name="source">{identity && <FrameLink seq={identity.seq} label="frame" />}</Fact>
      {identities.length > 1 && (
        <Fact name="before">
          <ul>
            {identities.slice(-1 - SHOWN_IDENTITIES, -1).map((one) => (
              <li key={one.seq}>
                <UntrustedText text={identityText(one)} limit={200} /> <FrameLink seq={one.seq} label="frame" />
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </FactList>
  );
}

/** How long the host waits before it gives up, and how that is known. */
export function Waits({ waits }: { readonly waits: HostWaits }) {
  const { longest, unanswered, givenUp, cancelled, seq, evidence } = waits;
  const shown = givenUp.slice(-SHOWN_GIVEN_UP);
  return (
    <FactList title="Waiting">
      <Fact name="timeout">
        <span className={evidence === 'timeout' ? 'font-medium' : undefined}>{waitsText(waits)}</span>{' '}
        {seq !== undefined && <FrameLink seq={seq} label="frame" />}
      </Fact>
      <Fact name="known from">{evidenceText(waits)}</Fact>
      <Fact name="longest answer">
        {longest && (
          <>
            {formatDuration(longest.us)} for <UntrustedText text={longest.method} limit={100} />{' '}
            <FrameLink seq={longest.seq} label="frame" />
          </>
        )}
      </Fact>
      <Fact name="at the end">
        {unanswered && (
          <>
            {countOf(unanswered.count, 'request')} without an answer, the oldest for {formatDuration(unanswered.us)}{' '}
            <FrameLink seq={unanswered.seq} label="frame" />
          </>
        )}
      </Fact>
      {shown.length > 0 && (
        <Fact name="cancelled">
          {cancelled > shown.length && (
            <p className="text-muted">
              {formatCount(cancelled)} requests. The newest {shown.length}:
            </p>
          )}
          <ul>
            {shown.map((one) => (
              <li key={one.cancelSeq}>
                <Cancelled one={one} />
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </FactList>
  );
}

function Cancelled({ one: { method, name, waitedUs, quietUs, reason, cancelSeq } }: { readonly one: GivenUp }) {
  return (
    <>
      <UntrustedText text={[method, name].filter(Boolean).join(' ')} limit={100} className="font-mono text-wire" />{' '}
      after {formatDuration(waitedUs)}
      {quietUs !== undefined && `, ${formatDuration(quietUs)} after progress`}
      {reason !== undefined && (
        <>
          {': '}
          <UntrustedText text={reason} limit={120} className="text-muted" />
        </>
      )}{' '}
      <FrameLink seq={cancelSeq} label="frame" />
    </>
  );
}

/** The requests with which the host learns about the server, and when it sends them. */
export function OpeningSteps({ log, view: { steps, omittedSteps } }: { readonly log: Log; readonly view: HostView }) {
  const times = useLogTimes(log);
  return (
    <section aria-label="Order" className="min-w-0">
      <h2 className="mb-1 font-medium">What it asks for, in order</h2>
      {steps.length === 0 && <p className="text-muted">It has not sent anything yet</p>}
      <ol className="flex flex-col gap-0.5">
        {steps.map((step) => (
          <li key={step.seq} className="grid grid-cols-[90px_minmax(0,1fr)_auto_auto] gap-2">
            <span className="tabular text-muted" title={times.other(step.atUs)}>
              {times.shown(step.atUs)}
            </span>
            <span className="min-w-0 break-words">
              <UntrustedText text={step.method} limit={100} className="font-mono text-wire" />
              {step.about !== undefined && (
                <>
                  {' '}
                  <UntrustedText text={step.about} limit={100} />
                </>
              )}{' '}
              <span className={step.isCutShort ? 'text-warn' : 'text-muted'}>{stepFacts(step).join(', ')}</span>
            </span>
            <span className="tabular text-muted">{step.tookUs !== undefined && formatDuration(step.tookUs)}</span>
            <span className="text-small">
              <FrameLink seq={step.seq} label="frame" />
            </span>
          </li>
        ))}
      </ol>
      {omittedSteps > 0 && <p className="text-muted">… and {countOf(omittedSteps, 'further step')}</p>}
    </section>
  );
}

/** The requests of the server, and whether the host answers them. */
export function ServerQuestions({ answers }: { readonly answers: readonly AnswerUse[] }) {
  if (answers.length === 0) return null;
  return (
    <FactList title="Requests from the server">
      {answers.map(({ method, asked, answered, refused }) => (
        <Fact key={method} name={method.slice(0, 60)}>
          {formatCount(answered)} of {formatCount(asked)} answered
          {refused > 0 && <span className="text-warn">, {formatCount(refused)} refused</span>}
        </Fact>
      ))}
    </FactList>
  );
}

/** The keys of `_meta` in the host's requests. */
export function Meta({ view: { meta, requests } }: { readonly view: HostView }) {
  return (
    <section aria-label="_meta" className="min-w-0">
      <h2 className="mb-1 font-medium">_meta of its requests</h2>
      {meta.length === 0 && <p className="text-muted">None, apart from the client’s name, version and capabilities</p>}
      <ul className="flex flex-col gap-0.5">
        {meta.map(({ key, count, example }) => (
          <li key={key} className="min-w-0 break-words">
            <UntrustedText text={key} limit={200} className="font-mono text-wire" />{' '}
            <span className="text-muted">
              {count === requests ? 'in every request' : `in ${formatCount(count)} of ${countOf(requests, 'request')}`},
              first <UntrustedText text={example} limit={120} className="font-mono text-wire" />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
