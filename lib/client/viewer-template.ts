import { ConnectionError } from '@/lib/transports/transport';

/** Made by scripts/build-viewer.mjs, and served by whoever serves the page. */
const PATH = '/viewer/page.gz';

/** The page that is viewer and recording at once, without a recording, gzipped. Rejects with a Failure. */
export async function viewerTemplate(): Promise<Blob> {
  const response = await fetch(PATH).catch(() => undefined);
  if (response?.ok) return gzip(await response.blob());
  throw new ConnectionError({
    code: 'no-viewer',
    message: 'The viewer that a page is made of did not load.',
    advice: 'Try again; if that does not help, share a file, which anybody with mcp-inspect can open.',
  });
}

/** Some hosts send what ends in .gz unpacked. */
async function gzip(blob: Blob): Promise<Blob> {
  const [first, second] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  if (first === 0x1f && second === 0x8b) return blob;
  return new Response(blob.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}
