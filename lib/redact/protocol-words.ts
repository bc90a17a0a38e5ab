/** Of requests and notifications: a table of all of them would be in every page that is shared. */
const METHOD =
  /^(?:completion|elicitation|logging|notifications|prompts|resources|roots|sampling|server|subscriptions|tasks|tools)\/[a-zA-Z_/]{1,40}$/;
const SPEC_KEY = /^io\.modelcontextprotocol\//;
const MEDIA_TYPE = /^(?:application|text|image|audio|video)\/[a-z0-9.+-]{1,60}$/;

/**
 * True for what the protocol itself says in every message: methods, keys of `_meta`, media types. A server that has one stand where a secret
 * would, by chance or on purpose, must not have it taken out of all later messages.
 */
export function isProtocolWord(text: string): boolean {
  return METHOD.test(text) || SPEC_KEY.test(text) || MEDIA_TYPE.test(text);
}
