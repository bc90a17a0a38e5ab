import {
  isNumber,
  isObject,
  isText,
  isTrue,
  listOf,
  objectWith,
  oneOf,
  optional,
  type TypeCheck,
} from '@/lib/json/value';
import type { IssuedToken } from '@/lib/wire/auth-step';

const claims: TypeCheck = listOf(objectWith({ name: isText, value: optional(isText), chars: optional(isNumber) }));
const jwt = optional(objectWith({ header: claims, claims, unsigned: optional(isTrue) }));
const isIssuedToken = objectWith({
  scheme: oneOf('Bearer', 'DPoP'),
  chars: isNumber,
  jwt,
  idToken: jwt,
  refreshChars: optional(isNumber),
  expiresAt: optional(isText),
  clientId: optional(isText),
  resource: optional(isText),
  keyThumbprint: optional(isText),
  kept: optional(isTrue),
});

/** Validates facts about a token, which anybody can have written into a recording. undefined if they are not sound. */
export function readIssuedToken(value: unknown): IssuedToken | undefined {
  return isObject(value) && isIssuedToken(value) ? (value as unknown as IssuedToken) : undefined;
}
