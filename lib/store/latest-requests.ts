import type { Message } from './classify';

/** The newest request of each method, and of each method and name. */
export class LatestRequests {
  readonly #methods = new Map<string, { seq: number; names: Map<string, number> }>();

  add(seq: number, message: Message): void {
    const { method = '', name } = message;
    const latest = this.#methods.get(method) ?? { seq, names: new Map<string, number>() };
    this.#methods.set(method, latest);
    latest.seq = seq;
    if (name !== undefined) latest.names.set(name, seq);
  }

  get(method: string, name?: string): number | undefined {
    const latest = this.#methods.get(method);
    return name === undefined ? latest?.seq : latest?.names.get(name);
  }
}
