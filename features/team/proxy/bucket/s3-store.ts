import { createHash } from 'node:crypto';
import { readCount } from '@/lib/wire/read-count';
import type {
  ObjectBody,
  ObjectStore,
  ReadOptions,
  StoredObject,
  UploadState,
  WriteOptions,
  Written,
} from './object-store';
import { fullKey, type S3Address, s3Url } from './s3-address';
import { answerFailure, answerHeader, errorCode, type S3Answer } from './s3-failure';
import { type S3Environment, S3Requests } from './s3-requests';
import { encodeXml, xmlElements, xmlText } from './s3-xml';
import { StoreError } from './store-error';

/** Bytes of a part, and of the largest object that is sent in one request. S3 allows parts from 5 MiB on. */
export const PART_BYTES = 8 * 1024 * 1024;
/** Most parts of an object in S3. */
const MOST_PARTS = 10_000;
/** Largest object that is read whole, in bytes, unless the caller allows more. */
const READ_BYTES = 64 * 1024 * 1024;
/** Keys of one answer, the most that S3 gives. */
const MOST_LISTED = 1000;
/** Objects of the longest list. A store that makes up keys would fill the memory. */
const MOST_OBJECTS = 2_000_000;

/** A store that speaks the S3 protocol. */
export class S3Store implements ObjectStore {
  readonly #address: S3Address;
  readonly #requests: S3Requests;
  readonly #most: number;

  /** `most`: objects of the longest list. */
  constructor(env: S3Environment, most = MOST_OBJECTS) {
    this.#most = most;
    this.#address = env.address;
    this.#requests = new S3Requests(env);
  }

  async *list(
    prefix: string,
    { after, signal }: { readonly after?: string; readonly signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<StoredObject> {
    const root = fullKey(this.#address, '');
    let from: Record<string, string> = after === undefined ? {} : { 'start-after': fullKey(this.#address, after) };
    let [last, count] = ['', 0];
    for (;;) {
      const query = {
        'list-type': '2',
        prefix: fullKey(this.#address, prefix),
        'encoding-type': 'url',
        'max-keys': String(MOST_LISTED),
        ...from,
      };
      const answer = await this.#requests.send({ method: 'GET', key: '', query, signal });
      const xml = Buffer.from(answer.body).toString();
      if (!xml.includes('<ListBucketResult')) throw this.#notS3();
      const isEncoded = xmlText(xml, 'EncodingType') === 'url';
      const before = last;
      for (const element of xmlElements(xml, 'Contents')) {
        const object = listedObject(element, root, isEncoded);
        // A store that begins again would be listed forever.
        if (object && object.key > last) {
          last = object.key;
          if (++count > this.#most) throw this.#tooMany(prefix);
          yield object;
        }
      }
      const next = xmlText(xml, 'NextContinuationToken');
      if (xmlText(xml, 'IsTruncated') !== 'true') return;
      // A list that goes on and brings nothing new would never end.
      if (!next || last === before) throw this.#notS3();
      from = { 'continuation-token': next };
    }
  }

  async read(key: string, { range, etag, most = READ_BYTES, signal }: ReadOptions = {}): Promise<Uint8Array> {
    if (range && range[0] >= range[1]) return new Uint8Array();
    const headers = {
      ...(range && { range: `bytes=${range[0]}-${range[1] - 1}` }),
      ...(etag !== undefined && { 'if-match': `"${etag}"` }),
    };
    const bytes = range ? range[1] - range[0] : most;
    const request = { method: 'GET', key: fullKey(this.#address, key), headers, signal } as const;
    const answer = await this.#requests.send({ ...request, most: bytes });
    const answered = answerHeader(answer, 'etag');
    // Some stores ignore If-Match.
    if (etag !== undefined && answered !== undefined && unquoted(answered) !== etag) {
      throw answerFailure({ ...answer, status: 412, body: new Uint8Array() }, this.#address, key);
    }
    if (!range) return answer.body;
    // A store without ranges answers 200 with the start of the object.
    if (answer.status === 206 && answer.body.length === bytes && isRange(answer, range)) return answer.body;
    throw new StoreError(
      'store-truncated',
      `The store answered ${answer.body.length} bytes of ${s3Url(this.#address, key)} in place of ${bytes}.`,
      'The object may be shorter than expected, or the store does not support ranges.',
    );
  }

  async head(key: string, signal?: AbortSignal): Promise<StoredObject | undefined> {
    const path = fullKey(this.#address, key);
    const answer = await this.#requests.send({ method: 'HEAD', key: path, accepts: [404], signal });
    if (answer.status === 404) return undefined;
    return {
      key,
      bytes: readCount(answerHeader(answer, 'content-length')) ?? Number.NaN,
      etag: unquoted(answerHeader(answer, 'etag')),
      at: isoOf(answerHeader(answer, 'last-modified')),
    };
  }

  async write(key: string, body: ObjectBody, options: WriteOptions = {}): Promise<Written> {
    if (body.bytes > PART_BYTES) return this.#writeParts(key, body, options);
    const bytes = await body.read(0, body.bytes);
    const headers = { 'content-type': body.type };
    const path = fullKey(this.#address, key);
    const { signal } = options;
    const answer = await this.#sendOnce(options, (condition, accepts) =>
      this.#requests.send({
        method: 'PUT',
        key: path,
        headers: { ...headers, ...condition },
        body: bytes,
        accepts,
        signal,
      }),
    );
    options.onProgress?.(body.bytes);
    if (answer.status === 412) return 'existed';
    await this.#checkStored(key, answer, createHash('md5').update(bytes).digest('hex'), bytes.length, signal);
    return 'written';
  }

  async abandon(key: string, { id }: UploadState, signal?: AbortSignal): Promise<void> {
    const path = fullKey(this.#address, key);
    await this.#requests.send({ method: 'DELETE', key: path, query: { uploadId: id }, accepts: [404], signal });
  }

  close(): void {
    this.#requests.close();
  }

  /** Sends an object in parts. Nobody sees it before the last request, which puts the parts together. */
  async #writeParts(key: string, body: ObjectBody, options: WriteOptions, isRepeat = false): Promise<Written> {
    const { signal } = options;
    const path = fullKey(this.#address, key);
    if (options.ifNoneMatch && (await this.#exists(key, body.bytes, signal))) return 'existed';
    let state = options.resume ?? (await this.#beginParts(path, body, signal));
    const keep = async (next: UploadState | undefined): Promise<void> => {
      if (next) state = next;
      await options.onState?.(next);
    };
    await keep(state);
    const { partBytes, id } = state;
    const count = Math.ceil(body.bytes / partBytes);
    let existed = false;
    try {
      for (let part = state.parts.length; part < count; part++) {
        options.onProgress?.(part * partBytes);
        const bytes = await body.read(part * partBytes, Math.min(body.bytes, (part + 1) * partBytes));
        const query = { partNumber: String(part + 1), uploadId: id };
        const answer = await this.#requests.send({ method: 'PUT', key: path, query, body: bytes, signal });
        await keep({ ...state, parts: [...state.parts, unquoted(answerHeader(answer, 'etag'))] });
      }
      const finished = await this.#sendOnce(options, (condition, accepts) =>
        this.#completeParts(path, state, condition, accepts, signal),
      );
      existed = finished.status === 412;
      // If we may not, a lifecycle rule deletes the parts.
      if (existed) await this.abandon(key, state, signal).catch(() => {});
    } catch (error) {
      if (!isGone(error)) throw error;
      await keep(undefined);
      // The store may have finished it although its answer was lost. Or it has deleted the parts.
      if (await this.#exists(key, body.bytes, signal)) return 'existed';
      if (isRepeat) throw error;
      return this.#writeParts(key, body, { ...options, resume: undefined }, true);
    }
    await keep(undefined);
    options.onProgress?.(body.bytes);
    return existed ? 'existed' : 'written';
  }

  async #beginParts(path: string, body: ObjectBody, signal: AbortSignal | undefined): Promise<UploadState> {
    const headers = { 'content-type': body.type };
    const answer = await this.#requests.send({ method: 'POST', key: path, query: { uploads: '' }, headers, signal });
    const id = xmlText(Buffer.from(answer.body).toString(), 'UploadId');
    if (!id) throw this.#notS3();
    return { id, partBytes: Math.max(PART_BYTES, Math.ceil(body.bytes / MOST_PARTS)), parts: [] };
  }

  async #completeParts(
    key: string,
    { id, parts }: UploadState,
    condition: Readonly<Record<string, string>>,
    accepts: readonly number[],
    signal: AbortSignal | undefined,
  ): Promise<S3Answer> {
    const listed = parts.map(
      (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>"${encodeXml(etag)}"</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`);
    const headers = { 'content-type': 'application/xml', ...condition };
    const request = { method: 'POST', key, query: { uploadId: id }, headers, body, accepts, signal } as const;
    const answer = await this.#requests.send(request);
    // S3 may find out that it failed after it has sent the status.
    if (answer.status === 200 && errorCode(answer) !== '') {
      throw answerFailure({ ...answer, status: 500 }, this.#address, '');
    }
    return answer;
  }

  /** Sends with `If-None-Match`, and without it to a store that does not know it. */
  async #sendOnce(
    { ifNoneMatch }: WriteOptions,
    send: (condition: Readonly<Record<string, string>>, accepts: readonly number[]) => Promise<S3Answer>,
  ): Promise<S3Answer> {
    if (ifNoneMatch === undefined) return send({}, []);
    const answer = await send({ 'if-none-match': ifNoneMatch }, [412, 501]);
    return answer.status === 501 ? send({}, []) : answer;
  }

  /** Returns false if we may not ask. Then the upload finds out. */
  async #exists(key: string, bytes: number, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      return (await this.head(key, signal))?.bytes === bytes;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'store-denied') return false;
      throw error;
    }
  }

  /** The ETag is the MD5 unless the store encrypts with a key of its own. Then the length has to do. */
  async #checkStored(
    key: string,
    answer: S3Answer,
    md5: string,
    bytes: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const etag = unquoted(answerHeader(answer, 'etag'));
    if (etag === md5 || (etag !== '' && answerHeader(answer, 'x-amz-server-side-encryption') !== undefined)) return;
    const found = await this.head(key, signal).catch((error: unknown) => {
      if (error instanceof StoreError && error.code === 'store-denied') return { bytes };
      throw error;
    });
    if (found?.bytes === bytes) return;
    throw new StoreError(
      'store-damaged',
      `The store has ${found?.bytes ?? 0} of the ${bytes} bytes of ${s3Url(this.#address, key)}.`,
      'Push it again.',
      true,
    );
  }

  #tooMany(prefix: string): StoreError {
    return new StoreError(
      'store-refused',
      `There are more than ${this.#most.toLocaleString('en')} objects in ${s3Url(this.#address, prefix)}.`,
      'Name a longer prefix.',
    );
  }

  #notS3(): StoreError {
    return new StoreError(
      'store-refused',
      `${new URL(this.#address.endpoint).host} did not answer like an S3-compatible store.`,
      'Check --s3 endpoint.',
    );
  }
}

function isGone(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'store-missing';
}

function isRange(answer: S3Answer, [from, to]: readonly [number, number]): boolean {
  return new RegExp(`^bytes ${from}-${to - 1}/`).test(answerHeader(answer, 'content-range') ?? '');
}

/** Reads a `Contents` element. Returns undefined for what is not below the prefix or has no size. */
function listedObject(element: string, root: string, isEncoded: boolean): StoredObject | undefined {
  const written = xmlText(element, 'Key') ?? '';
  const key = isEncoded ? decodedKey(written) : written;
  const bytes = readCount(xmlText(element, 'Size'));
  if (!key.startsWith(root) || bytes === undefined) return undefined;
  const etag = unquoted(xmlText(element, 'ETag'));
  return { key: key.slice(root.length), bytes, etag, at: isoOf(xmlText(element, 'LastModified')) };
}

function decodedKey(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function unquoted(etag: string | undefined): string {
  return (etag ?? '').replace(/^"|"$/g, '');
}

function isoOf(date: string | undefined): string {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}
