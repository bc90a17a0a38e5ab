import type { RemoteRules } from '@/lib/hub/recorded-connection';
import { type JsonObject, own } from '@/lib/json/value';
import type { RuleOwner } from '@/lib/mcp/message-interceptor';
import { ConnectionError } from '@/lib/transports/transport';
import type { HoldDecision, InterceptRule } from '@/lib/wire/intercept';
import { readTapControl, type TapControlAddress } from '@/proxy/files/tap-control-files';
import { ControlLink, TAP_GONE } from './control-link';
import type { RunningTap } from './find-taps';

/** A tap listens within this time of its start, in ms, on a machine that is very busy. */
const LISTENS_WITHIN_MS = 5000;
/** How often its address is looked for until then, in ms. */
const LOOK_MS = 100;

/**
 * The rules of pages in a tap. Each page has a socket of its own. When a socket ends, the tap forgets the rules of that
 * page and passes on what they hold, even if this process is killed.
 */
export class TapRules implements RemoteRules {
  readonly #address: () => TapControlAddress | undefined;
  readonly #session: string;
  readonly #startedAt: number;
  readonly #links = new Map<RuleOwner, Promise<ControlLink>>();
  /** Has no rules. */
  readonly #nobody: RuleOwner = {};

  constructor(recordings: string, { pid, space, session, at }: RunningTap) {
    this.#address = () => readTapControl(recordings, { pid, space, session });
    this.#session = session;
    this.#startedAt = Date.parse(at);
  }

  async setRules(owner: RuleOwner, rules: readonly InterceptRule[]): Promise<void> {
    if (rules.length === 0 && !this.#links.has(owner)) return;
    await this.#request(owner, { do: 'set-rules', rules });
  }

  async setOverlay(owner: RuleOwner, overlay: string): Promise<void> {
    await this.#request(owner, { do: 'set-overlay', overlay });
  }

  removeRules(isGone: (owner: RuleOwner) => boolean): void {
    for (const [owner, link] of [...this.#links]) {
      if (!isGone(owner)) continue;
      this.#links.delete(owner);
      link.then((open) => open.close()).catch(() => {});
    }
  }

  async readHeld(hold: number): Promise<Uint8Array> {
    const held = own(await this.#request(this.#nobody, { do: 'read-held', hold }), 'held');
    return Buffer.from(typeof held === 'string' ? held : '', 'base64');
  }

  async decide(hold: number, decision: HoldDecision): Promise<void> {
    await this.#request(this.#nobody, { do: 'decide', hold, decision });
  }

  /** Removes all rules of pages. */
  close(): void {
    this.removeRules(() => true);
  }

  async #request(owner: RuleOwner, asked: object): Promise<JsonObject> {
    const link = await (this.#links.get(owner) ?? this.#connect(owner));
    return link.request({ ...asked, session: this.#session });
  }

  #connect(owner: RuleOwner): Promise<ControlLink> {
    const forget = (): void => {
      // The next request connects again.
      if (this.#links.get(owner) === opening) this.#links.delete(owner);
    };
    const opening = this.#open(forget);
    this.#links.set(owner, opening);
    opening.catch(forget);
    return opening;
  }

  async #open(onOver: () => void): Promise<ControlLink> {
    let address = this.#address();
    while (!address && Date.now() < this.#startedAt + LISTENS_WITHIN_MS) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      address = this.#address();
    }
    if (!address) throw new ConnectionError(TAP_GONE);
    return ControlLink.open(address, onOver);
  }
}
