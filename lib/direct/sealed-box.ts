/** Bytes that only the tab with the key can read, and the number used once that they were sealed with. */
export interface Sealed {
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly bytes: ArrayBuffer;
}

/**
 * What is kept on disk is sealed with a key that lives in the tab alone: another program that is served on the same port one
 * day, and so has the same origin, finds nothing it could read, and when the tab is gone nobody does.
 */
export class SealedBox {
  readonly #key: CryptoKey;

  private constructor(key: CryptoKey) {
    this.#key = key;
  }

  /** `key`: 32 bytes, base64. Rejects where the browser has no WebCrypto: on plain http hosts but this machine. */
  static async open(key: string): Promise<SealedBox> {
    const raw = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
    return new SealedBox(await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']));
  }

  async seal(bytes: Uint8Array<ArrayBuffer>): Promise<Sealed> {
    const nonce = crypto.getRandomValues(new Uint8Array(12));
    return { nonce, bytes: await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, this.#key, bytes) };
  }

  /** Rejects for what was sealed with another key, or changed since. */
  unseal({ nonce, bytes }: Sealed): Promise<ArrayBuffer> {
    return crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, this.#key, bytes);
  }
}
