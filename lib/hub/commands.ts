import type { RequestId } from '@/lib/json/value';
import type { Command, Event, NearbyAddresses, QuestionAnswer, RecordingProgress, Target } from '@/lib/wire/command';
import type { Root } from '@/lib/wire/connection-settings';
import { type FrameNote, isFailure, type ProtocolChoice } from '@/lib/wire/lifecycle';
import type { FrameLog } from './frame-log';
import type { Viewer } from './viewer';

/** A connection as commands see it: a live one, or what was kept of one. What can't be done throws ConnectionError. */
export interface Commanded {
  readonly id: string;
  readonly log: FrameLog;
  request(method: string, params: string | undefined, timeoutMs: number | undefined): number;
  notify(method: string, params: string | undefined): number;
  sendRaw(text: string, terminate: boolean): number;
  cancel(id: RequestId): void;
  answer(id: RequestId, key: string | undefined, answer: QuestionAnswer): void;
  setRoots(roots: readonly Root[]): void;
  reveal(seq: number, field: number | 'url'): string;
  annotate(note: FrameNote): Promise<void>;
  lookFurther(where: NearbyAddresses): Promise<void>;
  retry(): void;
  cancelSignIn(): void;
  close(reason: 'user' | 'restart'): Promise<void>;
}

/** What commands act on. Each of these throws ConnectionError. */
interface Connections<C extends Commanded> {
  connect(target: Target, protocol: ProtocolChoice): C;
  restart(id: string): Promise<C>;
  get(id: string): C;
  signOut(connection: C): void;
  forget(connection: C): Promise<void>;
  /** Of connections that a page makes itself. */
  readonly recordings: {
    record(viewer: Viewer, asked: Extract<Command, { type: 'record' }>): RecordingProgress | Promise<RecordingProgress>;
    end(viewer: Viewer, connection: string): Promise<void>;
  };
}

/** What the `done` event says besides its `ref`; undefined for commands that have no answer. */
type Done = Omit<Extract<Event, { type: 'done' }>, 'type' | 'ref'> | undefined;

type Handler<K extends Command> = <C extends Commanded>(
  hub: Connections<C>,
  viewer: Viewer,
  command: K,
) => Done | Promise<Done>;

/** One row a command. A handler throws ConnectionError to answer with an `error` event. */
const HANDLERS: { readonly [T in Command['type']]: Handler<Extract<Command, { type: T }>> } = {
  connect: (hub, _viewer, { target, protocol }) => ({ connection: hub.connect(target, protocol).id }),

  attach(hub, viewer, { connection, after }) {
    viewer.attach(connection, hub.get(connection).log, after);
    return undefined;
  },

  async read(hub, viewer, { connection, from, to }) {
    await viewer.sendAgain(connection, hub.get(connection).log, from, to);
    return { connection };
  },

  request: (hub, _viewer, { connection, method, params, timeoutMs }) => ({
    connection,
    seq: hub.get(connection).request(method, params, timeoutMs),
  }),

  notify: (hub, _viewer, { connection, method, params }) => ({
    connection,
    seq: hub.get(connection).notify(method, params),
  }),

  'send-raw': (hub, _viewer, { connection, text, terminate }) => ({
    connection,
    seq: hub.get(connection).sendRaw(text, terminate),
  }),

  cancel(hub, _viewer, { connection, id }) {
    hub.get(connection).cancel(id);
    return { connection };
  },

  answer(hub, _viewer, { connection, id, key, answer }) {
    hub.get(connection).answer(id, key, answer);
    return { connection };
  },

  'set-roots'(hub, _viewer, { connection, roots }) {
    hub.get(connection).setRoots(roots);
    return { connection };
  },

  reveal: (hub, _viewer, { connection, seq, field }) => ({
    connection,
    secret: hub.get(connection).reveal(seq, field),
  }),

  async note(hub, _viewer, { connection, on, text, bookmark }) {
    await hub.get(connection).annotate({ on, text, bookmark });
    return { connection };
  },

  async restart(hub, _viewer, { connection }) {
    return { connection: (await hub.restart(connection)).id };
  },

  async close(hub, _viewer, { connection }) {
    await hub.get(connection).close('user');
    return { connection };
  },

  retry(hub, _viewer, { connection }) {
    hub.get(connection).retry();
    return { connection };
  },

  'cancel-sign-in'(hub, _viewer, { connection }) {
    hub.get(connection).cancelSignIn();
    return { connection };
  },

  'sign-out'(hub, _viewer, { connection }) {
    hub.signOut(hub.get(connection));
    return { connection };
  },

  async 'look-further'(hub, _viewer, { connection, where }) {
    await hub.get(connection).lookFurther(where);
    return { connection };
  },

  async record(hub, viewer, command) {
    return { connection: command.connection, recorded: await hub.recordings.record(viewer, command) };
  },

  async 'record-end'(hub, viewer, { connection }) {
    await hub.recordings.end(viewer, connection);
    return { connection };
  },

  async forget(hub, _viewer, { connection }) {
    await hub.forget(hub.get(connection));
    return { connection };
  },
};

/** Carries out a command and tells its viewer how that went. Never rejects. */
export async function runCommand<C extends Commanded>(
  hub: Connections<C>,
  viewer: Viewer,
  command: Command,
): Promise<void> {
  const ref = refOf(command);
  try {
    // The handler and the command have the same type, which the compiler can't follow through the table.
    const handler = HANDLERS[command.type] as Handler<Command>;
    const done = await handler(hub, viewer, command);
    if (done && ref !== undefined) viewer.sendEvent({ type: 'done', ref, ...done });
  } catch (error) {
    viewer.sendEvent(errorEvent(error, ref));
  }
}

/** The event that answers what failed with `error`. */
export function errorEvent(error: unknown, ref: string | undefined): Event {
  const { code, message, advice } = isFailure(error) ? error : { ...INTERNAL, message: `${INTERNAL.message} ${error}` };
  return { type: 'error', ref, code, message, advice };
}

/** The sender's own mark on a command that has an answer. */
export function refOf(command: Command): string | undefined {
  return 'ref' in command ? command.ref : undefined;
}

const INTERNAL = {
  code: 'internal',
  message: 'mcp-inspect itself failed.',
  advice: 'Try again; if it happens again, report it.',
};
