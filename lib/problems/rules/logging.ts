import { own } from '@/lib/json/value';
import { idKey } from '@/lib/wire/message';
import { LOG_LEVELS, META_KEY, METHOD } from '@/lib/wire/protocol-names';
import { metaOf, type SeenMessage } from '../protocol-state';
import { type ProtocolRule, quote } from '../rule';

const RANKS: readonly unknown[] = LOG_LEVELS;

/** Rules about log messages. */
export const LOGGING_RULES: readonly ProtocolRule[] = [
  {
    id: 'log-not-asked-for',
    severity: 'error',
    title: 'Unrequested log message',
    topic: 'logging',
    advice: 'Send log messages only for requests with a logLevel in _meta.',
    checks: () => {
      let asked = false;
      return {
        kinds: ['request', 'notification'],
        message: (seen, state, report) => {
          if (seen.kind === 'request' && seen.direction === 'to-server')
            asked ||= metaOf(seen, META_KEY.logLevel) !== undefined;
          if (seen.kind !== 'notification' || seen.method !== METHOD.log || !state.modern || asked) return;
          report({ message: 'No request has set a logLevel so far.', path: ['method'] });
        },
      };
    },
  },
  {
    id: 'log-below-level',
    severity: 'warning',
    title: 'Log message below the requested level',
    topic: 'logging',
    advice: 'Send only log messages of the requested level and above.',
    checks: () => {
      const asked = new AskedLevels();
      return {
        kinds: ['request', 'response', 'notification'],
        message: (seen, _state, report) => {
          asked.add(seen);
          if (seen.kind !== 'notification' || seen.method !== METHOD.log) return;
          const level = own(seen.params, 'level');
          const rank = RANKS.indexOf(level);
          const { least } = asked;
          if (rank < 0 || least === undefined || rank >= least.rank) return;
          report({
            message: `The level is ${quote(level)}, but ${quote(LOG_LEVELS[least.rank])} was requested.`,
            path: ['params', 'level'],
            seqs: [least.seq],
          });
        },
      };
    },
  },
];

interface AskedLevel {
  readonly rank: number;
  readonly seq: number;
}

/**
 * The lowest level that log messages may have: that of the newest `logging/setLevel` that was answered, or in a modern
 * session the lowest one of any request so far, since a message does not name its request.
 */
class AskedLevels {
  least: AskedLevel | undefined;
  readonly #waiting = new Map<string, AskedLevel>();

  add(seen: SeenMessage): void {
    if (seen.kind === 'request' && seen.direction === 'to-server') this.#addRequest(seen);
    if (seen.kind !== 'response' || seen.direction !== 'to-client' || seen.id == null) return;
    const answered = this.#waiting.get(idKey(seen.id));
    this.#waiting.delete(idKey(seen.id));
    if (answered) this.least = answered;
  }

  #addRequest(seen: SeenMessage): void {
    const { method, modern, params, seq, id } = seen;
    const setsLevel = method === METHOD.setLevel && id != null;
    if (!modern && !setsLevel) return;
    const rank = RANKS.indexOf(modern ? metaOf(seen, META_KEY.logLevel) : own(params, 'level'));
    if (rank < 0) return;
    if (!modern) this.#waiting.set(idKey(id!), { rank, seq });
    else if (this.least === undefined || rank < this.least.rank) this.least = { rank, seq };
  }
}
