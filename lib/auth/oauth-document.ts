import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Failure } from '@/lib/wire/lifecycle';
import { FAILURES, fail } from './authorization-failures';
import { DOCUMENTS, type DocumentKind } from './document-kinds';
import type { FetchLike } from './oauth-fetch';

/** The type of a member. */
interface MemberType<T> {
  readonly expected: string;
  accepts(value: unknown): value is T;
}

const isString = (value: unknown): value is string => typeof value === 'string';

export const TEXT: MemberType<string> = { expected: 'a string', accepts: isString };
export const ADDRESS: MemberType<string> = {
  expected: 'a URL',
  accepts: (value): value is string => isString(value) && URL.canParse(value),
};
export const TEXTS: MemberType<readonly string[]> = {
  expected: 'an array of strings',
  accepts: (value): value is readonly string[] => Array.isArray(value) && value.every(isString),
};
/** Some servers write the number as a string. */
const SECONDS: MemberType<number | string> = {
  expected: 'a number',
  accepts: (value): value is number | string =>
    typeof value === 'number' || (isString(value) && /^\d{1,15}$/.test(value)),
};

/**
 * A document that a server sent for OAuth. Its members are checked when they are used, so a server may omit the others.
 */
export class OAuthDocument {
  readonly kind: DocumentKind;
  /** The URL that the document came from. */
  readonly url: string;
  readonly #members: JsonObject;

  constructor(kind: DocumentKind, url: string, members: JsonObject) {
    this.kind = kind;
    this.url = url;
    this.#members = members;
  }

  /** Returns the document in a body, or why there is none. */
  static parse(kind: DocumentKind, url: string, text: string): OAuthDocument | Failure {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return FAILURES.notJson(kind, url);
    }
    return isObject(value) ? new OAuthDocument(kind, url, value) : FAILURES.notObject(kind, url, value);
  }

  /** Returns the document in a body. Throws a ConnectionError if there is none. */
  static read(kind: DocumentKind, url: string, text: string): OAuthDocument {
    const document = OAuthDocument.parse(kind, url, text);
    return document instanceof OAuthDocument ? document : fail(document);
  }

  /** Returns a member unchecked. */
  member(name: string): unknown {
    return own(this.#members, name);
  }

  /** Returns a member. Throws a ConnectionError if it is missing or has another type. */
  required<T>(name: string, type: MemberType<T>): T {
    return this.optional(name, type) ?? fail(FAILURES.noMember(this.kind, this.url, name));
  }

  /** Returns a member, or undefined if it is missing. Throws a ConnectionError if it has another type. */
  optional<T>(name: string, type: MemberType<T>): T | undefined {
    const value = this.member(name);
    if (value === undefined || type.accepts(value)) return value;
    return fail(FAILURES.wrongMember(this.kind, this.url, name, value, type.expected));
  }
}

/**
 * Returns a fetch for token requests of the SDK. It checks the members of a response that are used, and leaves out the
 * others, which the SDK would check too. It rejects with a ConnectionError.
 */
export function tokenFetch(ask: FetchLike): FetchLike {
  return checkedFetch(ask, DOCUMENTS.token, (response) => ({
    access_token: response.required('access_token', TEXT),
    token_type: response.required('token_type', TEXT),
    refresh_token: response.optional('refresh_token', TEXT),
    expires_in: response.optional('expires_in', SECONDS),
    scope: response.optional('scope', TEXT),
    // Only shown, so it may be anything.
    id_token: isString(response.member('id_token')) ? response.member('id_token') : undefined,
  }));
}

/** Returns a fetch like {@link tokenFetch} for the exchange of an ID token. */
export function exchangeFetch(ask: FetchLike): FetchLike {
  return checkedFetch(ask, DOCUMENTS.exchange, (response) => ({
    issued_token_type: response.required('issued_token_type', TEXT),
    access_token: response.required('access_token', TEXT),
  }));
}

function checkedFetch(
  ask: FetchLike,
  kind: DocumentKind,
  membersOf: (response: OAuthDocument) => Readonly<Record<string, unknown>>,
): FetchLike {
  return async (url, init) => {
    const answer = await ask(url, init);
    if (!answer.ok) return answer;
    const text = await answer.text();
    const { status, headers } = answer;
    const document = OAuthDocument.read(kind, String(url), text);
    // Some servers refuse with 200. The SDK reads the error.
    const isRefusal = document.member('error') !== undefined && document.member('access_token') === undefined;
    return new Response(isRefusal ? text : JSON.stringify(membersOf(document)), { status, headers });
  };
}
