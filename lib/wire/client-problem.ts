import { CLIENT_GRANTS, type ClientSettings } from './connection-settings';
import { isUrl } from './url';

/** Returns why these settings can't be used, with advice; undefined if they can. */
export function clientProblem(settings: ClientSettings): string | undefined {
  const { clientId, clientSecret, scope, metadataUrl } = settings;
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
  const grant = grantProblem(settings);
  if (grant !== undefined) return grant;
  const odd = [clientId, clientSecret, settings.idpClientId].some(
    (text) => text !== undefined && !/^[ -~]+$/.test(text),
  );
  return odd ? 'The client id or secret has invalid characters. Correct it.' : undefined;
}

function grantProblem(settings: ClientSettings): string | undefined {
  const { grant, clientId, clientSecret, metadataUrl, keyFile, tokenFile, idp, idpClientId } = settings;
  if (grant === undefined) {
    const unused = tokenFile ?? idp ?? idpClientId;
    return unused === undefined ? undefined : 'A token file and an identity provider need a grant. Choose one.';
  }
  if (!CLIENT_GRANTS.includes(grant)) {
    return `There is no grant ${JSON.stringify(String(grant).slice(0, 40))}. Choose from ${CLIENT_GRANTS.join(', ')}.`;
  }
  if (metadataUrl !== undefined) return 'A client metadata URL is only for signing in. Give a client id.';
  if (grant !== 'workload' && clientId === undefined) return `The grant ${grant} needs a client id. Add it.`;
  if (grant === 'client-credentials' && clientSecret === undefined && keyFile === undefined) {
    return 'The grant client-credentials needs a client secret or a key file. Add one.';
  }
  if (grant !== 'client-credentials' && tokenFile === undefined)
    return `The grant ${grant} needs a token file. Add it.`;
  if (grant !== 'enterprise') {
    return (idp ?? idpClientId) === undefined ? undefined : 'An identity provider is only for the grant enterprise.';
  }
  return idp !== undefined && isUrl(idp)
    ? undefined
    : 'The grant enterprise needs the token URL of an identity provider.';
}

/** Returns true for a URL that can be a client id (Client ID Metadata Documents). */
function isDocumentUrl(text: string): boolean {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { pathname, username, password, hash } = new URL(text);
  return pathname !== '/' && username === '' && password === '' && hash === '';
}
