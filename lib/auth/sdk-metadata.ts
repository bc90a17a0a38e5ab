import type { OAuthMetadata } from '@modelcontextprotocol/client';
import { ADDRESS, type OAuthDocument, TEXT, TEXTS } from './oauth-document';

/**
 * Returns the members that the SDK uses of the metadata of an authorization server. Throws a ConnectionError if one of
 * them is wrong. The sign-in page is needed only for a sign-in.
 */
export function forSdk(metadata: OAuthDocument, signInPage = ''): OAuthMetadata {
  const methods = metadata.optional('token_endpoint_auth_methods_supported', TEXTS);
  return {
    issuer: metadata.required('issuer', TEXT),
    authorization_endpoint: signInPage,
    token_endpoint: metadata.required('token_endpoint', ADDRESS),
    // Without these members, a server may still support both.
    response_types_supported: ['code'],
    ...(methods && { token_endpoint_auth_methods_supported: [...methods] }),
    authorization_response_iss_parameter_supported:
      metadata.member('authorization_response_iss_parameter_supported') === true,
  };
}
