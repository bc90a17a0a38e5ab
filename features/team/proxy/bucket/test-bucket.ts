import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why tests with a real store can’t run here; undefined if they can. */
export const noStore = existsSync(join(import.meta.dirname, '../../../../e2e/servers/node_modules/s3rver'))
  ? undefined
  : 'run `npm ci` in e2e/servers';

export const TEST_BUCKET = 'team';
/** Planted values, which must appear in no output. The store knows them only behind {@link TestFront}. */
export const TEST_KEYS = {
  accessKeyId: 'AKIAPLANTED7EXAMPLE',
  secretAccessKey: 'planted/Secret+9xQz71LmWvBn4Key',
} as const;

/** A request that arrived at the front. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: number;
  /** True if its signature is right for {@link TEST_KEYS}, and its digest for its body. */
  readonly isSigned: boolean;
}

/** Answers in place of the store, or returns false to pass the request on. */
export type Fault = (request: SeenRequest, response: ServerResponse, body: Buffer) => boolean | Promise<boolean>;

/** A store, and a server in front of it that checks signatures, counts, and plays faults. */
export interface TestBucket {
  /** The front. */
  readonly endpoint: string;
  /** The store itself, for other clients. Its keys are S3RVER and S3RVER. */
  readonly store: string;
  /** The folder in which the store keeps the objects of the bucket. */
  readonly folder: string;
  readonly seen: SeenRequest[];
  /** Environment of a process that uses the front. */
  readonly env: NodeJS.ProcessEnv;
  fault: Fault | undefined;
  close(): Promise<void>;
}

/** Starts both. `server`: the path of the store’s program, for bundles. */
export async function startTestBucket(server: string = STORE): Promise<TestBucket> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-bucket-'));
  const child = spawn(process.execPath, ['--openssl-legacy-provider', server, folder, TEST_BUCKET], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const store = `http://127.0.0.1:${Number(port.toString())}`;
  const seen: SeenRequest[] = [];
  const bucket = { fault: undefined as Fault | undefined };
  const front = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray().catch(() => []));
    const one: SeenRequest = {
      method: request.method ?? '',
      target: request.url ?? '',
      headers: request.headers,
      bytes: body.length,
      isSigned: hasSignature(request, body),
    };
    seen.push(one);
    if (await bucket.fault?.(one, response, body)) return;
    if (!one.isSigned) return void refuse(response, 403, 'SignatureDoesNotMatch');
    passOn(store, request, body, response);
  });
  await once(front.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  return {
    endpoint,
    store,
    folder: join(folder, TEST_BUCKET),
    seen,
    env: {
      NODE_ENV: 'test',
      AWS_ACCESS_KEY_ID: TEST_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: TEST_KEYS.secretAccessKey,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_CONFIG_FILE: join(folder, 'none'),
      AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
    },
    get fault() {
      return bucket.fault;
    },
    set fault(fault) {
      bucket.fault = fault;
    },
    async close() {
      front.closeAllConnections();
      front.close();
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const STORE = join(import.meta.dirname, 'fixtures/s3-server.mjs');

/** Answers with an error as S3 does. */
export function refuse(response: ServerResponse, status: number, code: string, headers: object = {}): true {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>no</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(body);
  return true;
}

function passOn(store: string, request: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const { authorization: _, 'x-amz-date': __, ...headers } = request.headers;
  const own = { ...headers, authorization: STORE_KEYS, 'x-amz-date': amzDate(), host: new URL(store).host };
  const passed = httpRequest(`${store}${request.url}`, { method: request.method, headers: own }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  passed.end(body);
}

/** The store behind reads the key only. */
const STORE_KEYS =
  'AWS4-HMAC-SHA256 Credential=S3RVER/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0';

function amzDate(): string {
  return new Date().toISOString().replace(/[:-]|\.\d{3}/g, '');
}

/** Checks a signature by the description of AWS, from the request as it arrived. */
function hasSignature({ method, url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w{64})$/.exec(
      headers.authorization ?? '',
    );
  if (!match) return false;
  const [, id, day, region, signed, signature] = match as unknown as string[];
  const digest = headers['x-amz-content-sha256'];
  if (id !== TEST_KEYS.accessKeyId || digest !== createHash('sha256').update(body).digest('hex')) return false;
  const [path, query = ''] = url.split('?') as [string, string?];
  const sorted = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
    .join('&');
  const names = signed!.split(';');
  const canonical = [
    method,
    path,
    sorted,
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed,
    digest,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, createHash('sha256').update(canonical).digest('hex')];
  const key = [day!, region!, 's3', 'aws4_request'].reduce<string | Buffer>(
    (made, part) => createHmac('sha256', made).update(part).digest(),
    `AWS4${TEST_KEYS.secretAccessKey}`,
  );
  return createHmac('sha256', key).update(text.join('\n')).digest('hex') === signature;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.stdin?.end();
  await once(child, 'exit');
}
