import { useState } from 'react';
import { Button, CopyButton } from '@/components/ui/button';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useClient } from '@/lib/hooks/client';
import { useLog, useLogState } from '@/lib/hooks/log';
import { MASK, type ShownHeaders, type SocketFrame } from '@/lib/wire/http-frame';
import type { Failure } from '@/lib/wire/lifecycle';

/** Header fields in wire order, with secret values masked. `seq` is the frame they belong to. */
export function HttpHeaders({
  title,
  connection,
  seq,
  headers,
}: {
  readonly title: string;
  readonly connection: string;
  readonly seq: number;
  readonly headers: ShownHeaders;
}) {
  if (headers.length === 0) return <p className="text-muted">No headers</p>;
  return (
    <section aria-label={title} className="min-w-0">
      <div className="flex items-center gap-2">
        <h3 className="font-medium">{title}</h3>
        <CopyButton text={() => headers.map(([name, value]) => `${name}: ${value}`).join('\n')} label="Copy" />
      </div>
      <table className="w-full table-fixed font-mono text-wire">
        <tbody>
          {headers.map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and a frame never changes
            <tr key={index} className="border-b border-line align-top">
              <th scope="row" className="w-[38%] py-0.5 pr-2 text-left font-normal text-muted">
                <UntrustedText text={String(name)} limit={200} className="break-all" />
              </th>
              <td className="py-0.5">
                {value === MASK ? (
                  <MaskedValue connection={connection} seq={seq} field={index} what={String(name)} />
                ) : (
                  <UntrustedText text={String(value)} limit={1000} className="break-all" />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/**
 * A masked value with a button that reveals it while the connection is open. The secret lives only in this component's
 * state, so it is gone when another frame is shown or the connection ends.
 */
export function MaskedValue({
  connection,
  seq,
  field,
  what,
}: {
  readonly connection: string;
  readonly seq: number;
  readonly field: number | 'url';
  /** Name of the header, for the buttons' labels. */
  readonly what: string;
}) {
  const client = useClient();
  const live = useLogState(useLog(connection), ({ connection: { state } }) => state === 'open' || state === 'starting');
  const [shown, setShown] = useState<{ readonly secret?: string; readonly failure?: string }>({});
  const reveal = async () => {
    try {
      const { secret } = await client.send({ type: 'reveal', connection, seq, field });
      setShown({ secret });
    } catch (error) {
      setShown({ failure: (error as Failure).message });
    }
  };
  const secret = live ? shown.secret : undefined;
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-1">
      {secret === undefined ? <span>{MASK}</span> : <UntrustedText text={secret} className="break-all" />}
      {live && secret === undefined && (
        <Button variant="ghost" size="small" aria-label={`Reveal ${what}`} onClick={() => void reveal()}>
          Reveal
        </Button>
      )}
      {secret !== undefined && (
        <>
          <CopyButton text={() => secret} label="Copy" />
          <Button variant="ghost" size="small" aria-label={`Hide ${what}`} onClick={() => setShown({})}>
            Hide
          </Button>
        </>
      )}
      {live && shown.failure !== undefined && (
        <span role="alert" className="text-warn">
          {shown.failure}
        </span>
      )}
    </span>
  );
}

/** How a socket was opened, or the step at which that failed. */
export function SocketFacts({ frame }: { readonly frame: SocketFrame }) {
  const { host, port, addresses, address, httpProxy, dnsMs, tcpMs, tlsMs, tls, failure } = frame;
  const certificate = tls?.certificate;
  const rows: readonly (readonly [name: string, value: string | undefined])[] = [
    ['failure', failure && `${failure.step}: ${failure.code}, ${failure.message}`],
    ['host', `${host} port ${port}`],
    ['addresses', addresses.join(', ')],
    ['address', address],
    ['HTTP proxy', httpProxy && `${httpProxy.url} (${httpProxy.variable})`],
    [
      'CONNECT',
      httpProxy && [httpProxy.target, httpProxy.status && `HTTP ${httpProxy.status}`].filter(Boolean).join(': '),
    ],
    [
      'times',
      times([
        ['DNS', dnsMs],
        ['CONNECT', httpProxy?.ms],
        ['TCP', tcpMs],
        ['TLS', tlsMs],
      ]),
    ],
    ['TLS', tls && [tls.protocol, tls.cipher, tls.alpn && `ALPN ${tls.alpn}`].filter(Boolean).join(', ')],
    ['certificate', tls && (tls.verified ? 'verified' : 'NOT verified')],
    ['subject', certificate?.subject],
    ['issuer', certificate?.issuer],
    ['names', certificate?.names.join(', ')],
    ['valid', certificate && `${certificate.validFrom} to ${certificate.validTo}`],
    ['SHA-256', certificate?.fingerprint],
  ];
  return (
    <dl className="grid grid-cols-[80px_minmax(0,1fr)] gap-x-2 font-mono text-wire">
      {rows.map(
        ([name, value]) =>
          value !== undefined &&
          value !== '' && (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="break-all">
                <UntrustedText text={value} />
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

function times(steps: readonly (readonly [string, number | undefined])[]): string {
  return steps.flatMap(([name, ms]) => (ms === undefined ? [] : [`${name} ${ms} ms`])).join(', ');
}
