import { own } from '@/lib/json/value';
import { declares } from '@/lib/wire/declares';
import { formatDuration } from '@/lib/wire/format';
import { brokenAt, type Look } from '../fact';
import { downloadsFirst } from './process';

const SECOND_US = 1_000_000;

/**
 * Looks for a handshake that took longer than a host waits, from the start of the connection. Asks about a command that
 * may have downloaded its package earlier.
 */
export function handshakeWithin(seconds: number): Look {
  return ({ handshake, process }) => {
    if (!handshake) return { notSeen: 'handshake' };
    const { seq, afterUs, mostUs } = handshake;
    if (afterUs > seconds * SECOND_US)
      return [{ seq, words: `The handshake was answered after ${formatDuration(afterUs)}.` }];
    if (mostUs > seconds * SECOND_US) return { notSeen: 'start' };
    return process && downloadsFirst(process)
      ? { ask: `Does the first start, which downloads the server, also end within ${seconds} s?` }
      : 'holds';
  };
}

/** Looks for another version in the answer to `initialize`, if it asked for one of these. */
export function versionOneOf(...versions: readonly string[]): Look {
  return ({ handshake }) => {
    if (!handshake) return { notSeen: 'handshake' };
    const { seq, asked, result } = handshake;
    const version = own(result, 'protocolVersion');
    if (typeof version !== 'string' || versions.includes(version)) return 'holds';
    if (asked === undefined || !versions.includes(asked)) return { notSeen: 'versions' };
    const words = `The server answers ${JSON.stringify(asked)} with ${JSON.stringify(version.slice(0, 80))}.`;
    return [{ seq, words, path: 'result.protocolVersion' }];
  };
}

/** Looks for questions of the server that a host refuses. */
export function asks(...methods: readonly string[]): Look {
  return ({ asked }) =>
    brokenAt(
      methods.flatMap((method) =>
        asked.has(method) ? [{ seq: asked.get(method)!, words: `The server sent \`${method}\`.` }] : [],
      ),
    );
}

/** Looks for a question that the server sends before it has listed its tools. */
export function asksEarly(method: string): Look {
  return ({ asked, toolPages }) => {
    const seq = asked.get(method);
    const [first] = toolPages;
    return brokenAt(
      seq !== undefined && (first === undefined || seq < first)
        ? [{ seq, words: `The server sent \`${method}\` before it answered \`tools/list\`.` }]
        : [],
    );
  };
}

/** Looks for a server that offers subscriptions to resources. */
export const offersSubscriptions: Look = ({ handshake }) => {
  if (!handshake) return { notSeen: 'handshake' };
  return brokenAt(
    declares(own(handshake.result, 'capabilities'), ['resources', 'subscribe'])
      ? [
          {
            seq: handshake.seq,
            words: 'The server offers subscriptions to resources.',
            path: 'result.capabilities.resources.subscribe',
          },
        ]
      : [],
  );
};

/** Looks for a server with no tools, resources or prompts. */
export const hasNothing: Look = ({ tools, listed: { resources, prompts }, handshake }) => {
  if (!handshake || !tools || resources === undefined || prompts === undefined) return { notSeen: 'lists' };
  return brokenAt(
    tools.length + resources + prompts === 0
      ? [{ seq: handshake.seq, words: 'The server lists no tools, no resources and no prompts.' }]
      : [],
  );
};

/** Looks for lines on stdout that are not MCP. */
export const onlyMessages: Look = ({ junk, process }) =>
  brokenAt(process ? junk.slice(0, 1).map((seq) => ({ seq, words: 'A line on stdout is not a message.' })) : []);

/** Looks for instructions above a length in bytes. */
export function instructionsWithin(bytes: number): Look {
  return ({ handshake }) => {
    if (!handshake) return { notSeen: 'handshake' };
    const instructions = own(handshake.result, 'instructions');
    const length = typeof instructions === 'string' ? new TextEncoder().encode(instructions).length : 0;
    return brokenAt(
      length > bytes
        ? [{ seq: handshake.seq, words: `The instructions have ${length} bytes.`, path: 'result.instructions' }]
        : [],
    );
  };
}
