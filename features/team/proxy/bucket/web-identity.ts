import { Readable } from 'node:stream';
import { readSecretFile } from '@/proxy/connection/secret-file';
import type { BucketKeys, WebIdentity } from './credentials';
import type { RequestSender } from './s3-requests';
import { xmlText } from './s3-xml';
import { StoreError } from './store-error';

/** Most bytes of the answer of the token service. */
const ANSWER_BYTES = 256 * 1024;

/** Exchanges the token of a web identity for keys (AssumeRoleWithWebIdentity). Rejects with a StoreError. */
export async function assumeRole(
  { role, tokenFile, sessionName, endpoint }: WebIdentity,
  sender: RequestSender,
  signal: AbortSignal,
): Promise<BucketKeys> {
  const token = (await readSecretFile(tokenFile).catch(() => '')).trim();
  if (token === '') {
    throw failed('The file of AWS_WEB_IDENTITY_TOKEN_FILE is missing or empty.', 'Check its path.');
  }
  const form = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: sessionName,
    WebIdentityToken: token,
  });
  const body = Buffer.from(form.toString());
  const origin = new URL(endpoint);
  const message = await sender.pass({
    method: 'POST',
    origin,
    target: '/',
    headers: [
      ['Host', origin.host],
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Content-Length', String(body.length)],
    ],
    body: Readable.from([body]),
    signal,
  });
  let xml = '';
  for await (const chunk of message as AsyncIterable<Buffer>) {
    xml += chunk.toString();
    if (xml.length > ANSWER_BYTES) message.destroy();
  }
  const [id, secret] = [xmlText(xml, 'AccessKeyId'), xmlText(xml, 'SecretAccessKey')];
  const sessionToken = xmlText(xml, 'SessionToken');
  const expires = Date.parse(xmlText(xml, 'Expiration') ?? '');
  if (message.statusCode === 200 && id && secret) {
    return {
      accessKeyId: id,
      secretAccessKey: secret,
      ...(sessionToken && { sessionToken }),
      ...(!Number.isNaN(expires) && { expires }),
    };
  }
  const code = xmlText(xml, 'Code') ?? '';
  throw failed(
    `${origin.host} did not accept the web identity (HTTP ${message.statusCode}${/^\w{1,60}$/.test(code) ? ` ${code}` : ''}).`,
    'Check AWS_ROLE_ARN, the trust policy of the role, and that the token has not expired.',
  );
}

function failed(message: string, advice: string): StoreError {
  return new StoreError('store-credentials', message, advice);
}
