import type { SecureContext } from 'node:tls';
import { ConnectionError } from '@/lib/transports/transport';
import type { TlsOptions } from '@/lib/wire/connection-settings';
import { LIMITS } from '@/lib/wire/limits';
import { readNamedFile, typedPath } from '@/proxy/files/user-files';

/** Largest PEM file in bytes, so that a wrong path can't fill the memory. */
const PEM_BYTES = 4 * 1024 * 1024;

/** The TLS settings of one server, read from files. Holds a private key, so it must never be shown, logged or sent. */
export interface TlsMaterial {
  /** The server's own origin. Only it gets the client certificate, and only it may stay unverified. */
  readonly origin: string;
  readonly own: SecureContext;
  /** For all other origins. */
  readonly others: SecureContext;
  readonly insecure: boolean;
}

/** Returns the settings of a server without any: Node's own authorities. `url` is the server's own. */
export function defaultTls(url: string): TlsMaterial {
  const own = nodeTls().createSecureContext({});
  return { origin: new URL(url).origin, own, others: own, insecure: false };
}

/**
 * Reads the files that `options` names, relative to the working directory. `url` is the server's own. Rejects with
 * ConnectionError `tls-file`, `tls-key` or `tls-options`.
 */
export async function loadTls(url: string, options: TlsOptions, environment: NodeJS.ProcessEnv): Promise<TlsMaterial> {
  const ca = await trusted(options.ca ?? []);
  const others = nodeTls().createSecureContext({ ca });
  const { origin } = new URL(url);
  const material = { origin, others, insecure: options.insecure === true };
  const { cert, key, passphraseEnv } = options;
  if ((cert === undefined) !== (key === undefined)) {
    const missing = cert === undefined ? 'certificate' : 'key';
    throw wrong('tls-options', `A client certificate needs its key, and no ${missing} was given.`, BOTH);
  }
  if (cert === undefined || key === undefined) return { ...material, own: others };
  const own = { ca, cert: await readPem(cert, 'certificate'), key: await readPem(key, 'key') };
  return { ...material, own: contextOf(own, { cert, key }, passphraseOf(passphraseEnv, environment)) };
}

/** Loaded on demand, because stdio servers don't need it and subcommands have to start fast. */
function nodeTls(): typeof import('node:tls') {
  return process.getBuiltinModule('node:tls');
}

const BOTH = 'Name both PEM files, the certificate and its key.';

/** Returns the default authorities and those in `files`. undefined without files: Node then uses its defaults. */
async function trusted(files: readonly string[]): Promise<string[] | undefined> {
  if (files.length === 0) return undefined;
  const authorities = await Promise.all(files.map((file) => readPem(file, 'authority')));
  return [...(await defaultAuthorities()), ...authorities];
}

/**
 * Returns Node's authorities, including NODE_EXTRA_CA_CERTS. They must be listed, because a `ca` option replaces them.
 */
async function defaultAuthorities(): Promise<readonly string[]> {
  const tls = nodeTls();
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  // Node 22.15 and newer.
  if (getCACertificates) return getCACertificates('default');
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  // Node only warns about a file that can't be read, too.
  const { text } = extra ? await readNamedFile(extra, { most: PEM_BYTES }) : {};
  return [...tls.rootCertificates, ...(text === undefined ? [] : [text])];
}

function passphraseOf(name: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  if (name === undefined) return undefined;
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
  if (value !== undefined) return value;
  throw wrong(
    'tls-options',
    `The environment variable ${JSON.stringify(name)}, which should hold the passphrase of the key, is not set.`,
    'Set it in the shell, then restart mcp-inspect.',
  );
}

const KINDS = {
  authority: { label: 'CERTIFICATE', words: 'certificate of an authority' },
  certificate: { label: 'CERTIFICATE', words: 'certificate' },
  key: { label: 'PRIVATE KEY', words: 'private key' },
} as const;

async function readPem(path: string, kind: keyof typeof KINDS): Promise<string> {
  const { label, words } = KINDS[kind];
  const text = await readText(path, words);
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g)];
  const found = blocks.filter(([, name]) => name?.endsWith(label));
  if (found.length === 0) {
    const advice = `Name a PEM file. It has a line -----BEGIN ${label}-----.`;
    throw wrong('tls-file', `${shown(path)} contains no ${words}.`, advice);
  }
  if (label === 'CERTIFICATE' && !found.every(([block]) => isCertificate(block))) {
    throw wrong('tls-file', `The ${words} in ${shown(path)} can’t be read.`, 'Create the PEM file again.');
  }
  return text;
}

async function readText(path: string, words: string): Promise<string> {
  const { text, wrong: reason = 'It does not exist.' } = await readNamedFile(typedPath(path), { most: PEM_BYTES });
  if (text !== undefined) return text;
  throw wrong(
    'tls-file',
    `Could not read the ${words} from ${shown(path)}. ${reason}`,
    'Check the path. It is on the machine that runs mcp-inspect.',
  );
}

function isCertificate(block: string): boolean {
  try {
    new (process.getBuiltinModule('node:crypto').X509Certificate)(block);
    return true;
  } catch {
    return false;
  }
}

function contextOf(
  material: { ca: string[] | undefined; cert: string; key: string },
  { cert, key }: { cert: string; key: string },
  passphrase: string | undefined,
): SecureContext {
  try {
    return nodeTls().createSecureContext({ ...material, ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') {
      const what = `The key in ${shown(key)} does not belong to the certificate in ${shown(cert)}.`;
      throw wrong('tls-key', what, 'Name a certificate and its own key.');
    }
    // OpenSSL does not say whether the key or the passphrase was wrong.
    const locked = /ENCRYPTED/.test(material.key);
    throw wrong(
      'tls-key',
      `The private key in ${shown(key)} can’t be read${locked ? ` ${passphrase === undefined ? 'without its passphrase' : 'with that passphrase'}` : ''}.`,
      locked ? 'Name the variable that holds its passphrase, or check its value.' : 'Create the PEM file again.',
    );
  }
}

function shown(path: string): string {
  return JSON.stringify(path.slice(0, LIMITS.certificateChars));
}

function wrong(code: string, message: string, advice: string): ConnectionError {
  return new ConnectionError({ code, message, advice });
}
