import { createHash } from 'node:crypto';
import type { ClientIdentity, Grant, GrantKeeper } from '@/lib/auth/credentials';
import {
  type Checked,
  type Guard,
  isNumber,
  isObject,
  isText,
  isTextList,
  listOf,
  objectWith,
  optional,
  own,
} from '@/lib/json/value';
import { SharedFile } from '@/proxy/files/shared-file';

const isTime = (value: unknown): value is number => isNumber(value) && Math.abs(value) <= 8.64e15;

/** A sign-in that outlives the run. Holds secrets: never shown, logged or sent to anybody but the issuer and server. */
const isKeptSignIn = objectWith({
  /** URL of the MCP server. */
  server: isText,
  issuer: isText,
  /** Digest of the settings that it was obtained with, which may contain a secret. */
  settings: isText,
  resource: optional(isText),
  /** The client that it was granted to. */
  client: objectWith({
    client_id: isText,
    client_secret: optional(isText),
    token_endpoint_auth_method: optional(isText),
  }) as Guard<ClientIdentity>,
  accessToken: isText,
  refreshToken: optional(isText),
  scopes: isTextList,
  /** When the access token expires, in ms since 1970. */
  expiresAt: optional(isTime),
  /** When it was kept, in ms since 1970. */
  at: isTime,
});
export type KeptSignIn = Checked<typeof isKeptSignIn>;
const areSignIns = listOf(isKeptSignIn);

/** Sign-ins that are kept. The oldest are deleted first. */
const MOST_SIGN_INS = 200;
const VERSION = 1;

/** Keeps sign-ins in `sign-ins.json` of the data folder, which only its owner can read (mode 0600). */
export class KeptSignIns implements GrantKeeper {
  readonly #file: SharedFile;

  /** `folder` is the folder of recordings. */
  constructor(folder: string) {
    this.#file = new SharedFile({
      folder,
      name: 'sign-ins.json',
      code: 'sign-ins',
      what: 'kept sign-ins',
      mostBytes: 16 * 1024 * 1024,
    });
  }

  /** Returns all, oldest first. Rejects with ConnectionError `sign-ins-unreadable`. */
  async read(): Promise<readonly KeptSignIn[]> {
    return this.#content(await this.#file.read());
  }

  async load(server: string, owner: string): Promise<Grant | undefined> {
    const settings = digestOf(owner);
    const found = (await this.read()).find((one) => one.server === server && one.settings === settings);
    if (!found) return undefined;
    const { issuer, resource, client, accessToken, refreshToken, scopes, expiresAt } = found;
    return {
      issuer,
      clientId: client.client_id,
      client,
      accessToken,
      scopes,
      by: 'sign-in',
      ...(resource !== undefined && { resource }),
      ...(refreshToken !== undefined && { refreshToken }),
      ...(expiresAt !== undefined && { expiresAt }),
    };
  }

  keep(server: string, owner: string, grant: Grant, onlyIfKept: boolean): Promise<void> {
    const { issuer, resource, clientId, client, accessToken, refreshToken, scopes, expiresAt } = grant;
    const kept: KeptSignIn = {
      server,
      issuer,
      settings: digestOf(owner),
      client: client ?? { client_id: clientId },
      accessToken,
      scopes,
      ...(resource !== undefined && { resource }),
      ...(refreshToken !== undefined && { refreshToken }),
      ...(expiresAt !== undefined && { expiresAt }),
      at: Date.now(),
    };
    const isOther = (one: KeptSignIn): boolean => one.server !== server || one.settings !== kept.settings;
    return this.#change(isOther, (all) => (onlyIfKept && all.every(isOther) ? [] : [kept]));
  }

  forget(server: string): Promise<void> {
    return this.#change((one) => one.server !== server);
  }

  /** Deletes those for which `goes` returns true. Rejects with a ConnectionError. */
  delete(goes: (signIn: KeptSignIn) => boolean): Promise<void> {
    return this.#change((one) => !goes(one));
  }

  #change(
    stays: (signIn: KeptSignIn) => boolean,
    add: (all: readonly KeptSignIn[]) => readonly KeptSignIn[] = () => [],
  ): Promise<void> {
    return this.#file.change((before) => {
      const all = this.#content(before);
      const added = add(all);
      const signIns = [...all.filter(stays), ...added].slice(-MOST_SIGN_INS);
      const isSame = added.length === 0 && signIns.length === all.length;
      return { ...(!isSame && { content: { version: VERSION, signIns } }), result: undefined };
    });
  }

  #content(file: unknown): readonly KeptSignIn[] {
    if (file === undefined) return [];
    const signIns = isObject(file) && own(file, 'version') === VERSION ? own(file, 'signIns') : undefined;
    if (!areSignIns(signIns)) throw this.#file.refusal(file, VERSION);
    return signIns;
  }
}

function digestOf(owner: string): string {
  return createHash('sha256').update(owner).digest('base64url');
}

/** Accepts milliseconds since 1970 that are a date. */
