import type { Command, Event, Target } from '@/lib/wire/command';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import type { Connection } from './connection';
import type { Viewer } from './viewer';

/** What commands act on. Each of these throws ConnectionError. */
interface Connections {
  connect(target: Target, protocol: ProtocolChoice): Connection;
  restart(id: string): Promise<Connection>;
  get(id: string): Connection;
  signOut(connection: Connection): void;
  forget(connection: Connection): Promise<void>;
}

/** What the `done` event says besides its `ref`; undefined for commands that have no answer. */
type Done = Omit<Extract<Event, { type: 'done' }>, 'type' | 'ref'> | undefined;

type Handler<C extends Command> = (hub: Connections, viewer: Viewer, command: C) => Done | Promise<Done>;

/** One row a command. A handler throws ConnectionError to answer with an `error` event. */
export const COMMANDS: { readonly [T in Command['type']]: Handler<Extract<Command, { type: T }>> } = {
  connect: (hub, _viewer, { target, protocol }) => ({ connection: hub.connect(target, protocol).id }),

  attach(hub, viewer, { connection, after }) {
    viewer.attach(connection, hub.get(connection).log, after);
    return undefined;
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

  reveal: (hub, _viewer, { connection, seq, field }) => ({
    connection,
    secret: hub.get(connection).reveal(seq, field),
  }),

  async restart(hub, _viewer, { connection }) {
    return { connection: (await hub.restart(connection)).id };
  },

  async close(hub, _viewer, { connection }) {
    await hub.get(connection).close('user');
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

  async forget(hub, _viewer, { connection }) {
    await hub.forget(hub.get(connection));
    return { connection };
  },
};
