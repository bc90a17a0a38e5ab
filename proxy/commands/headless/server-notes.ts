import { startsWithBom } from '@/lib/json/parse';
import { isObject, type JsonObject, own, textOrJson } from '@/lib/json/value';
import type { TapHost } from '@/lib/mcp/log-tap';
import type { RuleSet } from '@/lib/mcp/message-interceptor';
import { formatInterception } from '@/lib/store/rows/interception-labels';
import { formatSilentProbe, formatStartedTwice } from '@/lib/store/rows/labels';
import { countOf } from '@/lib/wire/format';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { METHOD, RPC_CODE } from '@/lib/wire/protocol-names';
import type { CommandOutput } from '@/proxy/cli/output';
import { jsonLine } from '../shared/format-content';
import { messagesIn } from './server-connection';

/** Most lines of stderr compared with those of a first start. */
const REPEATABLE_LINES = 1000;

/** Stderr of a server’s first start, so that a second start prints only new lines. */
class RepeatedStderr {
  readonly #first: string[] = [];
  /** Lines of the first start that the second has repeated; undefined before a second start. */
  #repeated: number | undefined;

  /** True if a line repeats the line at its place in the first start. */
  repeats(line: string): boolean {
    if (this.#repeated === undefined) {
      if (this.#first.length < REPEATABLE_LINES) this.#first.push(line);
      return false;
    }
    if (this.#first[this.#repeated] !== line) this.#repeated = Number.POSITIVE_INFINITY;
    else this.#repeated++;
    return this.#repeated !== Number.POSITIVE_INFINITY;
  }

  startedAgain(): void {
    this.#repeated = 0;
  }
}

const BOM_NOTE =
  'The server’s output starts with a byte order mark (EF BB BF). Remove it: most clients can’t read that message.';

/**
 * Makes a tap that prints what else happens: stderr, log messages, a byte order mark, a waiting probe, a second start,
 * and messages that rules took.
 */
export function notesTap(out: CommandOutput, rules: readonly RuleSet[] = []): TapHost['append'] {
  const overlays = rules.flatMap(({ overlaid }) => (overlaid === undefined ? [] : [new OverlaidNames(overlaid, out)]));
  const stderr = new RepeatedStderr();
  let seq = 0;
  let hasBom = false;
  const events = new EventNotes(stderr, out);
  const refusals = new RefusedQuestions(out);
  return (channel, direction, _flags, _time, source, start, end) => {
    seq++;
    const text = (): string => Buffer.from(source.buffer, source.byteOffset + start, end - start).toString();
    if (channel === 'lifecycle') events.onEvent(text());
    else if (direction === 'to-client' && channel === 'stderr') {
      const line = text();
      if (!stderr.repeats(line)) out.printNote('stderr', line);
    } else if (direction === 'to-client' && (channel === 'protocol' || channel === 'intercept')) {
      const bytes = Buffer.from(source.buffer, source.byteOffset + start, end - start);
      for (const overlay of overlays) overlay.onMessage(bytes);
      if (channel === 'intercept') return seq;
      if (!hasBom && startsWithBom(bytes)) {
        hasBom = true;
        out.printNote('mcp-inspect', BOM_NOTE);
      }
      // The engine does not pass log messages on, so they are found by the bytes of their method.
      if (bytes.includes(METHOD.log)) noteLog(bytes.toString(), out);
      refusals.onMessage(bytes);
    } else if (direction === 'to-server' && channel === 'protocol') refusals.onSent(text);
    return seq;
  };
}

/** Finds questions that the client refuses because it has not declared them. The tool may say only that it failed. */
class RefusedQuestions {
  readonly #out: CommandOutput;
  readonly #told = new Set<string>();
  /** The newest message of the server. A refusal follows it at once. */
  #newest: Buffer = Buffer.alloc(0);

  constructor(out: CommandOutput) {
    this.#out = out;
  }

  onMessage(bytes: Buffer): void {
    this.#newest = bytes;
  }

  onSent(text: () => string): void {
    const method = QUESTIONS.find((name) => this.#newest.includes(`"${name}"`));
    if (method === undefined || this.#told.has(method) || !text().includes(`"code":${RPC_CODE.methodNotFound}`)) return;
    this.#told.add(method);
    const why = `The server asked for ${method}, which mcp-inspect had not declared, so it answered with error ${RPC_CODE.methodNotFound}.`;
    this.#out.printNote('mcp-inspect', `${why} To answer it, add \`--answers FILE\`.`);
  }
}

const QUESTIONS = ['elicitation/create', 'sampling/createMessage', 'roots/list'] as const;

/** Finds tools that an overlay changes, but that the server does not list: mostly their names are misspelled. */
class OverlaidNames {
  readonly #left: Set<string>;
  readonly #out: CommandOutput;
  #isDone = false;

  constructor(overlaid: readonly string[], out: CommandOutput) {
    this.#left = new Set(overlaid);
    this.#out = out;
  }

  /** Reads a message as the server sent it. What the overlay made of it comes afterwards. */
  onMessage(bytes: Buffer): void {
    if (this.#isDone || this.#left.size === 0 || !bytes.includes('"tools"')) return;
    for (const message of messagesIn(bytes.toString())) {
      const result = isObject(message) ? own(message, 'result') : undefined;
      const tools = isObject(result) ? own(result, 'tools') : undefined;
      if (!isObject(result) || !Array.isArray(tools)) continue;
      for (const tool of tools) this.#left.delete(textOrJson(isObject(tool) && own(tool, 'name')));
      if (own(result, 'nextCursor') === undefined) this.#report();
    }
  }

  #report(): void {
    this.#isDone = true;
    if (this.#left.size === 0) return;
    const [name, ...others] = this.#left;
    const more = others.length > 0 ? ` and ${countOf(others.length, 'more tool')}` : '';
    this.#out.printNote(
      'mcp-inspect',
      `The overlay changes the tool ${JSON.stringify(name)}${more}, which the server does not list.`,
    );
  }
}

/** Notes on events of the connection. Our own events need no validation. */
class EventNotes {
  readonly #stderr: RepeatedStderr;
  readonly #out: CommandOutput;
  #startedTwice: string | undefined;
  #hasLostSession = false;

  constructor(stderr: RepeatedStderr, out: CommandOutput) {
    this.#stderr = stderr;
    this.#out = out;
  }

  onEvent(text: string): void {
    const event = JSON.parse(text) as LifecycleEvent;
    // Otherwise the answer of a rule would look like that of the server.
    if (event.event === 'intercepted' && event.did !== 'progress') this.#print(formatInterception(event));
    // A server may forget its session with every second request.
    if (event.event === 'session-lost' && !this.#hasLostSession) {
      this.#hasLostSession = true;
      this.#print(`The server forgot the session. ${event.reason ?? ''} mcp-inspect opens a new one.`);
    }
    if (event.event === 'probe-silent') this.#print(formatSilentProbe(event.afterMs));
    if (event.event === 'probe' && event.respawn) {
      this.#stderr.startedAgain();
      this.#startedTwice = formatStartedTwice(event.era);
    }
    // After a failure the explanation ends with it, because the server's own error comes first.
    if (event.event === 'open' && this.#startedTwice !== undefined) this.#print(this.#startedTwice);
  }

  #print(sentence: string): void {
    this.#out.printNote('mcp-inspect', sentence);
  }
}

function noteLog(line: string, out: CommandOutput): void {
  for (const message of messagesIn(line)) {
    const params = isObject(message) && message.method === METHOD.log ? message.params : undefined;
    if (!isObject(params)) continue;
    const data = own(params, 'data');
    const who = [own(params, 'level'), own(params, 'logger')].filter((word) => typeof word === 'string').join(' ');
    out.printNote('log', `${who && `${who}: `}${typeof data === 'string' ? data : jsonLine(data)}`);
  }
}

/** Prints each progress notification: the progress, the total, and the message. */
export function printProgress(out: CommandOutput): (params: JsonObject) => void {
  return (params) => {
    const [progress, total] = [own(params, 'progress'), own(params, 'total')];
    const message = own(params, 'message');
    const far = `${typeof progress === 'number' ? progress : '?'}${typeof total === 'number' ? ` of ${total}` : ''}`;
    out.printNote('progress', typeof message === 'string' ? `${far} ${message}` : far);
  };
}
