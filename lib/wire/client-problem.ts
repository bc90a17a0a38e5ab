import type { ClientSettings } from './connection-settings';

/** Returns why these settings can't be used, with advice; undefined if they can. */
export function clientProblem({ clientId, clientSecret, scope, metadataUrl }: ClientSettings): string | undefined {
  if (clientSecret !== undefined && clientId === undefined) {
    return 'A client secret needs a client id. Give both.';
  }
  if (metadataUrl !== undefined && clientId !== undefined) {
    return 'A client id and a client metadata URL can’t be used together. Give only one of them.';
  }
  if (metadataUrl !== undefined && !isDocumentUrl(metadataUrl)) {
    return `${JSON.stringify(metadataUrl.slice(0, 200))} is not a client metadata URL. Give an https URL with a path.`;
  }
  if (scope !== undefined && !/^[!#-[\]-~]+(?: +[!#-[\]-~]+)*$/.test(scope)) {
    return `${JSON.stringify(scope.slice(0, 200))} is not a list of scopes. Separate scopes with spaces.`;
  }
  const odd = [clientId, clientSecret].some((text) => text !== undefined && !/^[ -~]+$/.test(text));
  return odd ? 'The client id or secret has invalid characters. Correct it.' : undefined;
}

/** Returns true for a URL that can be a client id (Client ID Metadata Documents). */
function isDocumentUrl(text: string): boolean {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { pathname, username, password, hash } = new URL(text);
  return pathname !== '/' && username === '' && password === '' && hash === '';
}
