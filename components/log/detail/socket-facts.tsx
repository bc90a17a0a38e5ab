import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { SocketFrame } from '@/lib/wire/socket-frame';

/** How a socket came to be, or how far it came. */
export function SocketFacts({ frame }: { readonly frame: SocketFrame }) {
  const { host, port, addresses, address, dnsMs, tcpMs, tlsMs, tls, failure } = frame;
  const certificate = tls?.certificate;
  const rows: readonly (readonly [name: string, value: string | undefined])[] = [
    ['failure', failure && `${failure.step}: ${failure.code}, ${failure.message}`],
    ['host', `${host} port ${port}`],
    ['addresses', addresses.join(', ')],
    ['address', address],
    ['times', times([['DNS', dnsMs] as const, ['TCP', tcpMs] as const, ['TLS', tlsMs] as const])],
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
