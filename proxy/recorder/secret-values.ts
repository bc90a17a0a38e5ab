import { MASK } from '@/lib/wire/http-frame';
import { LIMITS } from '@/lib/wire/limits';

/** Values that must not get into a file, wherever a server repeats them. */
export class SecretValues {
  readonly #needles: readonly Buffer[];

  /** Short values are left out: they would be found in everything. */
  constructor(values: readonly string[]) {
    const long = values.filter((value) => value.length >= LIMITS.secretChars);
    // The longest first: one may be a part of another.
    const forms = [...new Set(long.flatMap(formsOf))].sort((a, b) => b.length - a.length);
    this.#needles = forms.map((form) => Buffer.from(form));
  }

  /** The bytes without them; the same object if there are none. JSON stays JSON. */
  masked(bytes: Uint8Array): Uint8Array {
    let text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let found = false;
    for (const needle of this.#needles) {
      for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at)) {
        text = Buffer.concat([text.subarray(0, at), MASKED, text.subarray(at + needle.length)]);
        found = true;
      }
    }
    return found ? text : bytes;
  }
}

const MASKED = Buffer.from(MASK);

/** As it is, and as it stands in JSON, in a URL, and in a header of Basic or the like. */
function formsOf(value: string): readonly string[] {
  const base64 = Buffer.from(value).toString('base64');
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    base64,
    // Unpadded, and in the alphabet of URLs.
    base64.replace(/=+$/, ''),
    Buffer.from(value).toString('base64url'),
  ];
}
