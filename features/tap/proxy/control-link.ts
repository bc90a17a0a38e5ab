import { connect, type Socket } from 'node:net';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { TapControlAddress } from '@/proxy/files/tap-control-files';
import { CONTROL_LINE_BYTES, controlLine, controlReader } from './control-messages';

/** How long a tap may take to accept the token or to answer a request, in ms. It is busy at most with a flood. */
const ANSWER_MS = 10_000;

/** A connection to a tap. The tap forgets the rules that were set through it when it ends. */
export class ControlLink {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, { resolve(answer: JsonObject): void; reject(error: ConnectionError): void }>();
  #refs = 0;
  #isOver = false;

  private constructor(address: TapControlAddress, onReady: () => void, onOver: () => void) {
    const read = controlReader(CONTROL_LINE_BYTES);
    this.#socket = connect(address.path);
    this.#socket.on('error', () => {});
    this.#socket.on('data', (chunk: Buffer) => {
      try {
        for (const message of read(chunk)) {
          if (isObject(message) && own(message, 'ready') === true) onReady();
          else this.#onAnswer(message);
        }
      } catch {
        this.#socket.destroy();
      }
    });
    this.#socket.once('close', () => {
      this.#isOver = true;
      for (const { reject } of this.#waiting.values()) reject(new ConnectionError(TAP_GONE));
      this.#waiting.clear();
      onOver();
    });
    this.#socket.write(controlLine({ token: address.token }));
  }

  /** Rejects with a ConnectionError if nobody listens, or somebody else does. Calls `onOver` when it ends later. */
  static async open(address: TapControlAddress, onOver: () => void): Promise<ControlLink> {
    let link: ControlLink | undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const fail = (): void => reject(new ConnectionError(TAP_GONE));
        timer = setTimeout(fail, ANSWER_MS);
        link = new ControlLink(address, resolve, () => {
          fail();
          onOver();
        });
      });
      return link!;
    } catch (error) {
      link?.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a request and resolves with the fields of its answer. Rejects with a ConnectionError. */
  async request(asked: object): Promise<JsonObject> {
    if (this.#isOver) throw new ConnectionError(TAP_GONE);
    const ref = ++this.#refs;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<JsonObject>((resolve, reject) => {
        this.#waiting.set(ref, { resolve, reject });
        timer = setTimeout(() => {
          reject(new ConnectionError(TAP_SILENT));
          // Otherwise the request would take effect later, although the page says that it failed.
          this.close();
        }, ANSWER_MS);
        const line = controlLine({ ref, ...asked });
        if (Buffer.byteLength(line) < CONTROL_LINE_BYTES) this.#socket.write(line);
        else reject(new ConnectionError(TOO_LARGE));
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(ref);
    }
  }

  /** Ends it, which ends its rules. */
  close(): void {
    this.#socket.destroy();
  }

  #onAnswer(answer: unknown): void {
    if (!isObject(answer)) throw new Error('not an answer');
    const waiting = this.#waiting.get(own(answer, 'ref') as number);
    const [code, message, advice] = [own(answer, 'code'), own(answer, 'message'), own(answer, 'advice')];
    if (typeof code !== 'string') waiting?.resolve(answer);
    else waiting?.reject(new ConnectionError({ code, message: String(message), advice: String(advice) }));
  }
}

/** The tap does not listen: it has ended, is older than interception, or could not make a socket. */
export const TAP_GONE = {
  code: 'no-tap',
  message: 'The tap of this session can’t be reached.',
  advice: 'It has ended, or an older version started it. Start the host again.',
};

const TAP_SILENT = {
  code: 'tap-silent',
  message: 'The tap of this session does not answer.',
  advice: 'Its rules of this page are off. Try again.',
};

const TOO_LARGE = {
  code: 'too-large',
  message: 'The rules are too large for a tap.',
  advice: 'Set fewer rules, or shorter texts.',
};
