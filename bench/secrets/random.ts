/** Alphabets of values. */
export const ALPHABET = {
  digits: '0123456789',
  hex: '0123456789abcdef',
  upperHex: '0123456789ABCDEF',
  lower: 'abcdefghijklmnopqrstuvwxyz',
  letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  lowerDigits: 'abcdefghijklmnopqrstuvwxyz0123456789',
  upperDigits: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  upper32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  mixed: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
} as const;

const WORDS =
  `amber anchor autumn badger bakery basket beacon birch bishop blanket border bottle branch bridge bucket butter
  cactus candle canyon carbon castle cedar cherry cinder circle clover cobalt coffee comet copper coral cotton crater
  dancer delta desert diesel dragon eagle ember engine falcon feather fennel fiddle forest garden ginger glacier granite
  hammer harbor hazel hollow indigo island ivory jacket jungle kettle ladder lantern lemon linen lizard magnet maple
  marble meadow mellow mirror monkey nectar needle nickel oasis olive onion orange orchid otter oyster packet panda
  paper pebble pepper pigeon pillow planet pocket prairie quartz rabbit raven ribbon river rocket saddle salmon shadow
  silver sparrow spider spring summer sunset temple thunder timber tomato tunnel turtle velvet violet walnut window
  winter yellow zebra zephyr`.split(/\s+/);

const FIRST = `Alma Bruno Carla Dmitri Elif Farid Greta Hiro Ines Jonas Katya Liam Mei Nils Olga Pedro Rosa Sven Tomas
  Uma Vera Wanda Yusuf Zoe`.split(/\s+/);
const LAST = `Abbott Becker Castillo Duarte Eriksen Fontaine Grimaldi Hartwell Ivanova Jansen Kowalski Lindqvist Moreau
  Nakamura Okafor Petrov Quintero Rossi Schmidt Takahashi Ueda Vasquez Whitfield Yilmaz Zhang`.split(/\s+/);

/** Random choices that depend on a seed alone. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 0x9e3779b1) >>> 0;
    for (let warm = 0; warm < 8; warm++) this.number();
  }

  /** Returns a number from 0 to 1. */
  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer, both ends included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.number() * (most - least + 1));
  }

  chance(share: number): boolean {
    return this.number() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!;
  }

  /** Returns `count` members. Repeats none before all were taken. */
  sample<T>(list: readonly T[], count: number): T[] {
    const taken: T[] = [];
    while (taken.length < count) taken.push(...this.shuffled(list).slice(0, count - taken.length));
    return taken;
  }

  shuffled<T>(list: readonly T[]): T[] {
    const order = [...list];
    for (let at = order.length - 1; at > 0; at--) {
      const other = this.int(0, at);
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
    return order;
  }

  text(alphabet: keyof typeof ALPHABET, length: number): string {
    const from = ALPHABET[alphabet];
    return Array.from({ length }, () => from[this.int(0, from.length - 1)]).join('');
  }

  hex(length: number): string {
    return this.text('hex', length);
  }

  uuid(): string {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${this.pick(['8', '9', 'a', 'b'])}${this.hex(3)}-${this.hex(12)}`;
  }

  base64(bytes: number): string {
    return Buffer.from(Array.from({ length: bytes }, () => this.int(0, 255))).toString('base64');
  }

  word(): string {
    return this.pick(WORDS);
  }

  words(count: number, joined = ' '): string {
    return this.sample(WORDS, count).join(joined);
  }

  person(): { readonly name: string; readonly user: string; readonly mail: string } {
    const [first, last] = [this.pick(FIRST), this.pick(LAST)];
    const user = `${first[0]}${last}`.toLowerCase();
    return { name: `${first} ${last}`, user, mail: `${first.toLowerCase()}.${last.toLowerCase()}@${this.word()}.io` };
  }

  ip(): string {
    return `10.${this.int(0, 255)}.${this.int(0, 255)}.${this.int(1, 254)}`;
  }

  /** Returns a time of 2025 or 2026 in ISO 8601. */
  time(): string {
    return new Date(1_736_000_000_000 + this.int(0, 60_000_000) * 1000 + this.int(0, 999)).toISOString();
  }
}
