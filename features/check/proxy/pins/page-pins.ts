import { resolve } from 'node:path';
import type { PinChange, PinChangedReply, PinsRequest } from '@/features/check/lib/pins/pins-api';
import {
  type AcceptedAnswer,
  acceptAnswers,
  addCall,
  deleteCall,
  PINS_FILE,
  pinKeys,
  readPins,
  renameCall,
} from '@/features/check/lib/pins/pins-file';
import type { Connection } from '@/lib/hub/connection';
import { compactJson } from '@/lib/json/exact';
import { paramsToSend } from '@/lib/replay/compare/recorded-client';
import { ConnectionError } from '@/lib/transports/transport';
import { entryOf } from '@/lib/wire/command';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import type { PageCore } from '@/proxy/commands/inspect/page-part';
import type { Launch } from '@/proxy/connection/launch';
import { foundFile, keepAgreement, keptDecisions } from '@/proxy/files/decisions';
import { shortDigest } from './digests';
import { PinPlayer } from './pin-player';
import { PinsOnDisk } from './pins-on-disk';

/** The part of the page's hub that pinned calls need. */
type PinsHub = Pick<PageCore['hub'], 'live' | 'redactedText'>;

/** Removes secrets from a text. */
type Redact = (text: string) => string;

/** Whether calls that nobody clicks may be sent: those of a file that somebody named, or agreed to. */
interface Agreement {
  has(text: string): Promise<boolean>;
  give(text: string): Promise<void>;
}

/** The pinned calls of the page: the file, and playing it on live connections. */
export class PagePins {
  readonly #file: PinsOnDisk;
  readonly #player: PinPlayer;
  readonly #hub: PinsHub;
  readonly #agreement: Agreement | undefined;

  /** `agreement`: of a file that nobody named. */
  constructor(file: PinsOnDisk, player: PinPlayer, hub: PinsHub, agreement?: Agreement) {
    this.#file = file;
    this.#player = player;
    this.#hub = hub;
    this.#agreement = agreement;
  }

  /** Does what a page asks for. Rejects with a ConnectionError. */
  async run(request: PinsRequest): Promise<unknown> {
    switch (request.kind) {
      case 'list': {
        const list = await this.#file.list();
        // A page asks often, and a long list need not be sent again.
        return request.version !== '' && request.version === list.version ? {} : list;
      }
      case 'answer': {
        const { pins, keys } = await this.#file.read();
        const accepted = pins[keys.indexOf(request.key)]?.accepted;
        if (accepted) return accepted;
        throw new ConnectionError(NO_SUCH_PIN);
      }
      case 'play': {
        const { text } = await this.#file.read();
        // A person saw the calls and clicked.
        if (text !== undefined) await this.#agreement?.give(text);
        await this.#player.play(this.#hub.live(request.connection), { keys: request.keys && new Set(request.keys) });
        return undefined;
      }
      case 'stop':
        return this.#player.stop(request.connection);
      case 'accept':
        return this.#player.accept(request.connection, request.keys);
      default:
        return changePins(this.#file, request, (text) => this.#hub.redactedText(text));
    }
  }

  /**
   * Plays the calls on a run that a save started, if there are any. `first`: entry of the server of the command line.
   * The file names no server. Its calls and their secrets go only to the one that it is for.
   */
  async playOnSave(run: Connection<Launch>, signal: AbortSignal, first: string | undefined): Promise<void> {
    if (entryOf(run.summary) !== (first ?? this.#player.playedEntry)) return;
    try {
      const { text } = await this.#file.read();
      if (text === undefined || (await this.#agreement?.has(text)) === false) return;
      await (await this.#player.play(run, { by: 'save', signal })).ended;
    } catch (error) {
      // Without a pins file there is nothing to play. The panel of pins says what else can be wrong with it.
      if (!isFailure(error)) throw error;
    }
  }

  /** Forgets what can be accepted of a connection. */
  forget(id: string): void {
    this.#player.forget(id);
  }

  close(): void {}
}

/** Opens the pins file of the working directory, or the one that is named. `confirmation` confirms the first write. */
export function openPagePins(
  named: string | undefined,
  hub: PinsHub,
  confirmation: PageCore['confirmation'],
): PagePins {
  const path = resolve(named ?? PINS_FILE);
  const file = new PinsOnDisk(path, confirmation && (() => confirmation.confirmFile(path)));
  const decisions = keptDecisions();
  const agreement: Agreement = {
    has: async (text) => (await decisions.read(foundFile(path, text), 'calls')) === true,
    give: (text) => keepAgreement(foundFile(path, text), 'calls', decisions),
  };
  const player = new PinPlayer(file, (name) => process.env[name]);
  return new PagePins(file, player, hub, named === undefined ? agreement : undefined);
}

/** Makes a change. Rejects with a ConnectionError if nothing was written. */
async function changePins(file: PinsOnDisk, change: PinChange, redact: Redact): Promise<PinChangedReply> {
  if (change.kind === 'pin') {
    const call = maskedCall(change, redact);
    const { key, again } = await file.change(({ text, keys }) => {
      const added = addCall(text, call);
      const key = pinKeys(readPins(added), shortDigest).at(-1)!;
      // An equal call is pinned already. Its key has no number.
      const index = keys.indexOf(key.replace(/\.\d+$/, ''));
      if (index < 0) return { text: added, key, again: false };
      const accepted = call.accepted && new Map([[index, call.accepted]]);
      return { text: accepted ? acceptAnswers(text, accepted) : text, key: keys[index]!, again: true };
    });
    return {
      pins: await file.list(),
      key,
      ...(again && { again }),
      ...(call.masked && { masked: call.masked }),
    };
  }
  await file.change(({ text, keys }) => {
    const index = keys.indexOf(change.key);
    if (index < 0) throw new ConnectionError(NO_SUCH_PIN);
    return { text: change.kind === 'delete' ? deleteCall(text, index) : renameCall(text, index, change.name) };
  });
  return { pins: await file.list() };
}

/** Returns a call as it goes into the file: without secrets, and without what the engine adds to requests. */
function maskedCall({ method, params, answer }: Extract<PinChange, { kind: 'pin' }>, redact: Redact) {
  const sent = params && paramsToSend(compactJson(params));
  const given = answer && compactJson(answer.text);
  const [kept, text] = [sent && redact(sent), given && redact(given)];
  const accepted: AcceptedAnswer | undefined = answer && { kind: answer.kind, text: text! };
  const masked: PinChangedReply['masked'] = kept !== sent ? 'call' : text !== given ? 'answer' : undefined;
  return { method, params: kept, accepted, masked };
}

const NO_SUCH_PIN: Failure = {
  code: 'no-pin',
  message: 'The pins file no longer has that call, or it has no accepted answer.',
  advice: 'Look at the pins again.',
};
