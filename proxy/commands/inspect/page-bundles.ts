import { joinBytes } from '@/lib/json/typed-arrays';
import { ConnectionError } from '@/lib/transports/transport';
import type { BundleReply } from '@/lib/wire/api';
import { MOST_ARCHIVE } from '@/proxy/files/unpack-zip';
import { failureReply, jsonReply, type Reply } from '@/proxy/http/reply';
import type { HttpRoute } from '@/proxy/http/routes';

/** Bundles that pages can have unpacked in one run: each may take 512 MB of the disk until mcp-inspect ends. */
const MOST_BUNDLES = 20;

/**
 * Returns the route that unpacks a bundle of the page and replies with its server as a config, for the form. Nothing of
 * it is started: that needs a `connect` like any other command. One bundle is unpacked at a time.
 */
export function bundleRoute(): HttpRoute {
  let unpacked = 0;
  let isBusy = false;
  const reply = async (file: AsyncIterable<Uint8Array>): Promise<Reply> => {
    if (isBusy) throw new ConnectionError(BUSY);
    if (unpacked >= MOST_BUNDLES) throw new ConnectionError(TOO_MANY);
    isBusy = true;
    try {
      const archive = await collected(file);
      unpacked++;
      const { readBundle } = await import('@/proxy/servers/bundle-file');
      const bundle = await readBundle(archive);
      if ('wrong' in bundle) throw new ConnectionError({ ...WRONG, message: `Can’t use this bundle. ${bundle.wrong}` });
      return jsonReply(200, { config: JSON.stringify(bundle.value, null, 2) } satisfies BundleReply);
    } finally {
      isBusy = false;
    }
  };
  return {
    method: 'POST',
    path: '/api/bundles',
    upgrade: false,
    access: 'token',
    takesFile: true,
    handle: ({ file }) => reply(file!).catch(failureReply),
  };
}

async function collected(file: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of file) {
    bytes += piece.length;
    if (bytes > MOST_ARCHIVE) throw new ConnectionError(TOO_LARGE);
    pieces.push(piece);
  }
  return joinBytes(pieces);
}

const WRONG = { code: 'bundle-wrong', advice: 'Choose another file, or ask its author.' };

const TOO_LARGE = {
  code: 'bundle-too-large',
  message: `This bundle is larger than ${MOST_ARCHIVE / 1024 / 1024} MB.`,
  advice: 'Unpack it yourself, and connect to its command.',
};

const BUSY = {
  code: 'bundle-busy',
  message: 'Another bundle is being unpacked.',
  advice: 'Try again in a moment.',
};

const TOO_MANY = {
  code: 'bundles-too-many',
  message: `Pages have opened ${MOST_BUNDLES} bundles in this run, which stay unpacked until mcp-inspect ends.`,
  advice: 'Restart mcp-inspect.',
};
