import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Credentials } from '@/lib/auth/credentials';
import { systemClock } from '@/lib/wire/clock';
import type { UrlTarget } from '@/lib/wire/command';
import type { ClientSettings } from '@/lib/wire/connection-settings';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { json, type Seen, startHttp } from './fixtures/http-fixture';
import { type OAuthOptions, startOAuth, type TokenAnswer } from './fixtures/oauth-fixture';
import { openHub } from './test-hub';

const open = closedAfterEach();

/** Nobody can sign in. */
const NOBODY = {
  redirectUri: () => Promise.reject(new Error('nobody')),
  waitForCallback: () => Promise.reject(new Error('nobody')),
};

/** Signs in at once. */
const ANYBODY = {
  redirectUri: async () => 'http://127.0.0.1:6270/oauth/callback',
  async waitForCallback({ url }: { readonly url: string }) {
    const answer = await fetch(url, { redirect: 'manual' });
    return new URL(answer.headers.get('location')!).searchParams;
  },
};

async function start(options: Partial<OAuthOptions>, signIn: typeof ANYBODY | typeof NOBODY = NOBODY) {
  const oauth = await startOAuth(options);
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-grants-'));
  const hub = await openHub(systemClock, undefined, { store: new Credentials(), signIn });
  open.push(oauth, hub, { close: () => rmSync(folder, { recursive: true, force: true }) });
  const tab = await hub.tab();
  const connect = async (client: ClientSettings, event = 'open') => {
    const target: UrlTarget = { transport: 'http', url: oauth.url, client };
    await tab.connect(target, event);
    return ['http', 'lifecycle', 'protocol'].flatMap((channel) => tab.texts(channel as 'http')).join('\n');
  };
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return { oauth, tab, connect, file };
}

const TOKEN: TokenAnswer = { body: { access_token: 'secret-token-0123456789', token_type: 'Bearer' } };

const part = (text: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(text ?? '', 'base64url').toString());

/** Verifies a JWS with Node's crypto, and returns what it says. Throws if the signature is wrong. */
function readJws(jws: string, key: KeyObject) {
  const [head, body, signature] = jws.split('.');
  const { alg } = part(head);
  const options = String(alg).startsWith('ES') ? { key, dsaEncoding: 'ieee-p1363' as const } : key;
  const good = verify('sha256', Buffer.from(`${head}.${body}`), options, Buffer.from(signature!, 'base64url'));
  if (!good) throw new Error('The signature is wrong.');
  return { head: part(head), claims: part(body) };
}

describe('client credentials (RFC 6749, 4.4)', () => {
  const METADATA = { code_challenge_methods_supported: undefined, registration_endpoint: undefined };

  test('uses a secret, and asks nobody to sign in', async () => {
    const seen: [URLSearchParams, Seen['headers']][] = [];
    const onToken: OAuthOptions['onToken'] = (form, headers) => {
      seen.push([form, headers]);
      return TOKEN;
    };
    const { oauth, connect } = await start({ onToken, metadata: METADATA });
    const log = await connect({
      grant: 'client-credentials',
      clientId: 'me',
      clientSecret: 'secret-of-mine',
      scope: 'a b',
    });
    const [[form, headers] = []] = seen;
    expect(Object.fromEntries(form!)).toEqual({
      grant_type: 'client_credentials',
      scope: 'a b',
      resource: oauth.url,
    });
    expect(headers!.authorization).toBe(`Basic ${btoa('me:secret-of-mine')}`);
    expect(log).toContain('"by":"client"');
    expect(log).not.toContain('secret-');
  });

  test.each([
    ['EC', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ])('signs an assertion with an %s key (private_key_jwt)', async (_kind, generate) => {
    const { publicKey, privateKey } = generate();
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const assertions: string[] = [];
    const onToken: OAuthOptions['onToken'] = (form) => {
      assertions.push(form.get('client_assertion') ?? '');
      return TOKEN;
    };
    const { oauth, connect, file } = await start({ onToken, metadata: METADATA });
    const log = await connect({ grant: 'client-credentials', clientId: 'me', keyFile: file('key.pem', pem) });
    const { claims } = readJws(assertions[0]!, publicKey);
    expect(claims).toMatchObject({ iss: 'me', sub: 'me', aud: oauth.issuer.origin, jti: expect.any(String) });
    expect(claims.exp).toBeGreaterThan(Date.now() / 1000);
    expect(log).not.toContain(assertions[0]);
  });

  test.each([
    ['no-such.pem', undefined, 'Could not read'],
    ['key.pem', '-----BEGIN EC PRIVATE KEY-----\n', 'PKCS #8'],
    ['key.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n', 'none of the algorithms'],
  ])('says why a key file can’t be used: %s %#', async (name, text, said) => {
    const { oauth, connect, file } = await start({ onToken: () => TOKEN, metadata: METADATA });
    const keyFile = text === undefined ? name : file(name, text);
    const log = await connect({ grant: 'client-credentials', clientId: 'me', keyFile }, 'failed');
    expect(log).toContain(said);
    expect(oauth.asked).not.toContain('POST /token');
  });
});

const jwtOf = (claims: object): string =>
  `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims))}.c2ln`.replaceAll('=', '');

describe('the issuer', () => {
  const client = { grant: 'client-credentials', clientId: 'me', clientSecret: 'secret-of-mine' } as const;

  test('another one that the server names later in the run gets no secret', async () => {
    const { oauth, tab, connect } = await start({ onToken: () => TOKEN });
    await connect(client);
    const other = await startOAuth({ onToken: () => TOKEN });
    open.push(other);
    oauth.options.resource = { authorization_servers: [other.issuer.origin] };
    oauth.good.clear();
    await connect(client, 'failed');
    expect(tab.texts('lifecycle').join()).toContain('issuer-changed');
    expect(other.asked).not.toContain('POST /token');
  });

  test('another one than the settings name gets nothing', async () => {
    const { oauth, connect } = await start({ onToken: () => TOKEN });
    const log = await connect({ ...client, issuer: 'https://login.example.com' }, 'failed');
    expect(log).toContain('so nothing was sent to it');
    expect(oauth.asked).not.toContain('POST /token');
  });
});

describe('enterprise-managed authorization', () => {
  async function startEnterprise(idpStatus = 200) {
    const idToken = jwtOf({ sub: 'ann' });
    const jag = jwtOf({ sub: 'ann', aud: 'as' });
    const idpSeen: URLSearchParams[] = [];
    const idp = await startHttp(({ text }, response) => {
      idpSeen.push(new URLSearchParams(text));
      const granted = {
        access_token: jag,
        issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
        token_type: 'N_A',
      };
      json(response, idpStatus === 200 ? granted : { error: 'invalid_grant', error_description: 'too old' }, idpStatus);
    });
    open.push(idp);
    const forms: URLSearchParams[] = [];
    const onToken: OAuthOptions['onToken'] = (form) => {
      forms.push(form);
      return TOKEN;
    };
    const started = await start({ onToken });
    const client = {
      grant: 'enterprise' as const,
      clientId: 'me',
      clientSecret: 'secret-of-mine',
      idp: `${idp.origin}/token`,
      idpClientId: 'me-there',
    };
    return { ...started, client, idToken, jag, idpSeen, forms };
  }

  test('exchanges the ID token for a grant, and that for a token', async () => {
    const { oauth, connect, file, client, idToken, jag, idpSeen, forms } = await startEnterprise();
    const log = await connect({ ...client, tokenFile: file('token', `${idToken}\n`) });
    expect(Object.fromEntries(idpSeen[0]!)).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      subject_token: idToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      audience: oauth.issuer.origin,
      resource: oauth.url,
      client_id: 'me-there',
    });
    expect(Object.fromEntries(forms[0]!)).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: jag,
    });
    for (const secret of [idToken, jag, 'secret-']) expect(log).not.toContain(secret);
  });

  test('says what the identity provider says', async () => {
    const { connect, file, client, idToken, forms } = await startEnterprise(400);
    expect(await connect({ ...client, tokenFile: file('token', idToken) }, 'failed')).toContain('too old');
    expect(forms).toEqual([]);
  });

  test('never sends a file that holds no JWT', async () => {
    const { connect, file, client, idpSeen } = await startEnterprise();
    const log = await connect({ ...client, tokenFile: file('passwd', 'root:x:0:0:root:/root:/bin/bash') }, 'failed');
    expect(log).toContain('does not hold a JWT');
    expect(log).not.toContain('/bin/bash');
    expect(idpSeen).toEqual([]);
  });
});

describe('workload identity (RFC 7523)', () => {
  test('presents the workload’s JWT, read again for each grant', async () => {
    const assertions: (string | null)[] = [];
    const onToken: OAuthOptions['onToken'] = (form) => {
      assertions.push(form.get('assertion'));
      return TOKEN;
    };
    const { oauth, connect, file } = await start({ onToken });
    const [first, second] = [jwtOf({ sub: 'one' }), jwtOf({ sub: 'two' })];
    const client = { grant: 'workload', clientId: 'w', tokenFile: file('token', first) } as const;
    await connect(client);
    file('token', second);
    oauth.good.clear();
    await connect(client);
    await expect.poll(() => [...new Set(assertions)]).toEqual([first, second]);
  });

  test('does not try again after a refusal', async () => {
    let asked = 0;
    const onToken: OAuthOptions['onToken'] = () => {
      asked++;
      return { status: 400, body: { error: 'invalid_grant', error_description: 'wrong audience' } };
    };
    const { connect, file } = await start({ onToken });
    const log = await connect({ grant: 'workload', tokenFile: file('token', jwtOf({ sub: 'w' })) }, 'failed');
    expect(log).toContain('wrong audience');
    expect(asked).toBe(1);
  });
});

describe('DPoP (RFC 9449)', () => {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

  /** Checks a proof as a server does, and returns its nonce. Throws if it is wrong. */
  function checkProof(headers: Seen['headers'], method: string, url: string, token?: string): unknown {
    const proof = String(headers.dpop);
    const { jwk, typ } = part(proof.split('.')[0]);
    const { claims } = readJws(proof, createPublicKey({ key: jwk as object, format: 'jwk' } as never));
    expect({ typ, htm: claims.htm, htu: claims.htu, ath: claims.ath }).toEqual({
      typ: 'dpop+jwt',
      htm: method,
      htu: url,
      ath: token === undefined ? undefined : sha256(token),
    });
    return claims;
  }

  async function startDpop({ nonce, type = 'DPoP' }: { readonly nonce?: string; readonly type?: string } = {}) {
    const proofs: Record<string, unknown>[] = [];
    const failures: unknown[] = [];
    const token = 'secret-bound-0123456789';
    const claimsOf = (...checked: Parameters<typeof checkProof>): Record<string, unknown> => {
      try {
        const claims = checkProof(...checked) as Record<string, unknown>;
        proofs.push(claims);
        return claims;
      } catch (error) {
        failures.push(error);
        return {};
      }
    };
    const started = await start(
      {
        onToken: (_form, headers) => {
          const claims = claimsOf(headers, 'POST', `${started.oauth.issuer.origin}/token`);
          if (nonce !== undefined && claims.nonce !== nonce) {
            return { status: 400, headers: { 'dpop-nonce': nonce }, body: { error: 'use_dpop_nonce' } };
          }
          return { body: { access_token: token, token_type: type, expires_in: 60 } };
        },
        onRequest: ({ headers, method }, url) => {
          if (headers.authorization === undefined) return { challenge: 'DPoP ' };
          expect(headers.authorization).toBe(`DPoP ${token}`);
          const claims = claimsOf(headers, method, url, token);
          if (nonce === undefined || claims.nonce === `${nonce}-here`) return undefined;
          return { challenge: 'DPoP error="use_dpop_nonce", ', headers: { 'dpop-nonce': `${nonce}-here` } };
        },
      },
      ANYBODY,
    );
    return { ...started, proofs, failures, token };
  }

  test('binds the token, and proves each request afresh', async () => {
    const { connect, proofs, failures, token, oauth } = await startDpop();
    const log = await connect({});
    expect(failures).toEqual([]);
    expect(proofs.length).toBeGreaterThan(2);
    expect(new Set(proofs.map(({ jti }) => jti)).size).toBe(proofs.length);
    const sent = oauth.server.seen.flatMap(({ headers }) => headers.dpop ?? []).at(-1)!;
    expect(log).toContain('DPoP');
    expect(log).not.toContain(token);
    expect(log).not.toContain(sent);
  });

  test('uses the nonces of both servers', async () => {
    const { connect, proofs, failures } = await startDpop({ nonce: 'n1' });
    await connect({});
    expect(failures).toEqual([]);
    expect(proofs.map(({ nonce }) => nonce)).toEqual(expect.arrayContaining([undefined, 'n1', 'n1-here']));
  });

  test('is turned on by a setting, and refuses a bearer token then', async () => {
    const { connect } = await startDpop({ type: 'Bearer' });
    expect(await connect({ dpop: 'always' }, 'failed')).toContain('in place of a DPoP token');
  });
});
