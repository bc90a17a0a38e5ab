import { timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { isFailure } from '@/lib/wire/lifecycle';
import { atExit } from '@/proxy/files/at-exit';
import { type TapAbout, TapControlFiles } from '@/proxy/files/tap-control-files';
import {
  CONTROL_LINE_BYTES,
  type ControlAnswer,
  controlLine,
  controlReader,
  FIRST_LINE_BYTES,
} from './control-messages';

/** Peers at a time, usually. A page has one for each tab that set rules. */
const MOST_PEERS = 16;
/** How long a peer may take to send the token, in ms. */
const TOKEN_MS = 3000;

/** The requests of a peer that has the token. Each one is an owner of rules. */
export interface ControlPeer {
  /** Does what a request asks for. Resolves with further fields of its answer. Rejects with a Failure. */
  request(asked: JsonObject): Promise<object | undefined>;
  /** Called when the peer is gone. */
  gone(): void;
}

/** Listens for pages that set rules in this tap. */
export class ControlServer {
  readonly #files: TapControlFiles;
  readonly #server: Server;
  readonly #newPeer: () => ControlPeer;
  readonly #mostPeers: number;
  readonly #sockets = new Set<Socket>();
  #keepFiles = (): void => {};
  #token = Buffer.alloc(0);

  private constructor(recordings: string, newPeer: () => ControlPeer, mostPeers: number) {
    this.#files = new TapControlFiles(recordings);
    this.#mostPeers = mostPeers;
    this.#newPeer = newPeer;
    this.#server = createServer((socket) => this.#onSocket(socket)).unref();
    this.#server.on('error', () => {});
  }

  /** Listens, and says where. Rejects with the system's error. */
  static async start(
    recordings: string,
    session: string,
    newPeer: () => ControlPeer,
    { mostPeers = MOST_PEERS, about }: { readonly mostPeers?: number; readonly about?: TapAbout } = {},
  ): Promise<ControlServer> {
    const control = new ControlServer(recordings, newPeer, mostPeers);
    const path = await control.#listen();
    control.#token = Buffer.from(control.#files.announce(session, path, about));
    control.#keepFiles = atExit(() => control.#files.remove());
    return control;
  }

  /** Ends all peers, and deletes the files. */
  close(): void {
    this.#keepFiles();
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#files.remove();
  }

  async #listen(): Promise<string> {
    let reason: unknown;
    for (const path of this.#files.places()) {
      try {
        await new Promise<void>((resolve, reject) => {
          this.#server.once('error', reject);
          this.#server.listen(path, () => {
            this.#server.off('error', reject);
            resolve();
          });
        });
        return path;
      } catch (error) {
        // Network file systems have no sockets.
        reason = error;
      }
    }
    throw reason ?? new Error('no path is short enough for a socket');
  }

  #onSocket(socket: Socket): void {
    socket.on('error', () => {});
    if (this.#sockets.size >= this.#mostPeers) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    const late = setTimeout(() => socket.destroy(), TOKEN_MS).unref();
    socket.unref().once('close', () => {
      clearTimeout(late);
      this.#sockets.delete(socket);
    });
    const read = controlReader(FIRST_LINE_BYTES);
    const onToken = (chunk: Buffer): void => {
      const message = firstOf(read, chunk);
      if (message === undefined) return;
      // Requests follow once the token was accepted.
      if (message === null || !this.#isToken(message)) {
        socket.destroy();
        return;
      }
      clearTimeout(late);
      socket.off('data', onToken);
      answerRequests(socket, this.#newPeer());
    };
    socket.on('data', onToken);
  }

  #isToken(message: unknown): boolean {
    const token = isObject(message) ? own(message, 'token') : undefined;
    const given = Buffer.from(typeof token === 'string' ? token : '');
    return given.length === this.#token.length && timingSafeEqual(given, this.#token);
  }
}

/** Returns the message of a chunk; undefined if its line has not ended, and null for anything but one line. */
function firstOf(read: ReturnType<typeof controlReader>, chunk: Buffer): unknown {
  try {
    const [first, ...more] = read(chunk);
    return more.length > 0 ? null : first;
  } catch {
    return null;
  }
}

/** Answers one request after the other, and reads no more meanwhile. */
function answerRequests(socket: Socket, peer: ControlPeer): void {
  const read = controlReader(CONTROL_LINE_BYTES);
  let work = Promise.resolve();
  const say = async (answer: ControlAnswer): Promise<void> => {
    if (!socket.write(controlLine(answer)) && !socket.destroyed) await drainedOrClosed(socket);
  };
  socket.once('close', () => peer.gone());
  socket.on('data', (chunk: Buffer) => {
    socket.pause();
    work = work
      .then(async () => {
        for (const message of read(chunk)) {
          const ref = isObject(message) ? own(message, 'ref') : undefined;
          if (!isObject(message) || typeof ref !== 'number') throw new Error('not a request');
          if (socket.destroyed) return;
          await say(await answerTo(peer, ref, message));
        }
        socket.resume();
      })
      .catch(() => void socket.destroy());
  });
  void say({ ready: true });
}

function drainedOrClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}

async function answerTo(peer: ControlPeer, ref: number, asked: JsonObject): Promise<ControlAnswer> {
  try {
    return { ref, ...(await peer.request(asked)) };
  } catch (error) {
    const { code, message, advice } = isFailure(error)
      ? error
      : { code: 'internal', message: String(error), advice: '' };
    return { ref, code, message, advice };
  }
}
