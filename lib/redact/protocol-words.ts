import { METHODS } from '@/lib/protocol/methods';

const SPEC_KEY = /^io\.modelcontextprotocol\//;
const MEDIA_TYPE = /^(?:application|text|image|audio|video)\/[a-z0-9.+-]{1,60}$/;

/**
 * True for what the protocol itself says in every message: methods, keys of `_meta`, media types. A server that has one stand where a secret
 * would, by chance or on purpose, must not have it taken out of all later messages.
 */
export function isProtocolWord(text: string): boolean {
  return METHODS.has(text) || SPEC_KEY.test(text) || MEDIA_TYPE.test(text);
}
