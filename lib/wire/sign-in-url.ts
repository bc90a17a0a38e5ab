/** True for a host name or address that is this machine itself (RFC 8252 §7.3, RFC 6761 §6.3). */
export function isLoopbackName(hostname: string): boolean {
  return /^(?:localhost|(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * Why a URL that a server names is not to be opened for a person to sign in, as the end of a sentence; undefined if it may
 * be. Only https is good enough, and http on this machine: anything else could be a program that the system starts.
 */
export function signInUrlProblem(text: string): string | undefined {
  // Visible ASCII: what a URL parser would quietly take out or turn round has no honest place in one.
  if (!/^https?:\/\/[!-[\]-~]+$/i.test(text) || !URL.canParse(text)) return 'which is no http or https URL';
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return 'which names a user';
  if (protocol === 'http:' && !isLoopbackName(hostname)) return 'which is not encrypted';
  return undefined;
}
