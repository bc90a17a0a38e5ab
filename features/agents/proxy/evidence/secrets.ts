import { type EvidenceReader, MOST_SEQS, WEIGHT } from './evidence';

/** Values that look like secrets in what the server sends. They are masked in all answers. */
export const leakedSecrets: EvidenceReader = ({ log, secrets }) =>
  secrets.flatMap(({ rule, label, rank, kind, places }) => {
    const seqs = places
      .filter(({ seq, channel, path }) => {
        const isSent = seq > 0 && seq <= log.size && channel === 'protocol';
        // A handshake or a listing rarely has one; an id of the protocol is not a secret.
        return isSent && log.columns.direction(seq - 1) === 'to-client' && path.startsWith('result.');
      })
      .map(({ seq }) => seq);
    // A guess alone would warn of every random name.
    if (seqs.length === 0 || (rank === 'possible' && kind === 'secret')) return [];
    const path = places.find(({ seq }) => seq === seqs[0])?.path ?? '';
    return [
      {
        code: 'secret-sent',
        severity: 'warning' as const,
        weight: WEIGHT.secret,
        title: 'The server sends what looks like a secret',
        detail: `${rule === '' ? 'masked value' : label} at ${path}`,
        advice: 'Results reach the model and the logs of the host. Leave the value out, or send a reference to it.',
        seqs: [...new Set(seqs)].slice(0, MOST_SEQS),
        count: seqs.length,
      },
    ];
  });
