import type { Target } from '@/lib/wire/command';
import type { TlsOptions } from '@/lib/wire/tls';

/** TLS of a server about to be added, as typed. Paths are the proxy machine's. */
export interface TlsDraft {
  /** A path on each line. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly passphraseEnv: string;
  readonly insecure: boolean;
}

/** Nothing typed: Node's own authorities, and no certificate of ours. */
export const EMPTY_TLS: TlsDraft = { ca: '', cert: '', key: '', passphraseEnv: '', insecure: false };

/** What is known, to be changed. */
export function tlsDraftOf(tls: TlsOptions = {}): TlsDraft {
  return { ...EMPTY_TLS, ...tls, ca: (tls.ca ?? []).join('\n') };
}

/** What to send; {} if nothing was typed. */
export function tlsOfDraft({ ca, cert, key, passphraseEnv, insecure }: TlsDraft): TlsOptions {
  const files = ca.split('\n').map((line) => line.trim());
  const named = files.filter((line) => line !== '');
  return {
    ...(named.length > 0 && { ca: named }),
    ...(cert.trim() !== '' && { cert: cert.trim() }),
    ...(key.trim() !== '' && { key: key.trim() }),
    ...(passphraseEnv.trim() !== '' && { passphraseEnv: passphraseEnv.trim() }),
    ...(insecure && { insecure: true }),
  };
}

/**
 * The draft's TLS after its text changed: what the text says counts, what was typed beside it stays, but for the leave not
 * to verify, which was given for one origin.
 */
export function tlsAfter(before: TlsDraft, said: Target | undefined, sameOrigin: boolean): TlsDraft {
  if (said !== undefined && said.transport !== 'stdio' && said.tls) return tlsDraftOf(said.tls);
  return sameOrigin ? before : { ...before, insecure: false };
}
