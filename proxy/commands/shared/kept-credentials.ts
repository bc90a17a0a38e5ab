import { Credentials, type SignInCallbacks } from '@/lib/auth/credentials';
import { ConnectionError } from '@/lib/transports/transport';
import { isFailure } from '@/lib/wire/lifecycle';
import { printNote } from '@/proxy/cli/output';
import { KeptSignIns } from '@/proxy/connection/kept-sign-ins';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';

/** Returns credentials that know the kept sign-ins of this user. With `keepSignIns`, they keep new ones too. */
export function keptCredentials({ keepSignIns }: { readonly keepSignIns: boolean }): Credentials {
  return new Credentials({
    keeper: new KeptSignIns(ownRecordingsFolder()),
    keepsAll: keepSignIns,
    onFailed: (error) => printNote(isFailure(error) ? `${error.message} ${error.advice}` : error.message),
  });
}

const NOBODY = {
  code: 'sign-in-needed',
  message: 'The server requires a sign-in, and nobody can sign in here.',
  advice: 'Keep a sign-in with `--auth keep`, or use `--auth grant`.',
};

/** For runs that only read what the server and its authorization server publish. */
export const ONLY_READS: SignInCallbacks = {
  onlyReads: true,
  redirectUri: () => Promise.reject(new ConnectionError(NOBODY)),
  waitForCallback: () => Promise.reject(new ConnectionError(NOBODY)),
};

/** For runs without a person. */
export const NOBODY_SIGNS_IN: SignInCallbacks = {
  redirectUri: () => Promise.reject(new ConnectionError(NOBODY)),
  waitForCallback: () => Promise.reject(new ConnectionError(NOBODY)),
};
