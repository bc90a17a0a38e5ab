import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FrameSelection } from '@/lib/recording/frame-selection';
import { sharedRecording } from '@/lib/sharing/shared-recording';
import { formatSize } from '../../headless/amounts';
import { EXIT, usage } from '../../headless/exit-code';
import { writeNewFile } from '../../recorder/new-file';
import { openFailure } from '../../recorder/open-failure';
import { writeFailure } from '../../recorder/write-failure';
import type { FileRequest } from '../file-request';
import { fileSource } from '../file-source';
import type { FileSubcommand } from '../file-subcommand';

/** Writes a recording anew, to be given away. */
export const share: FileSubcommand = async ({ request, version, note }) => {
  const out = request.given.get('out')?.at(-1);
  if (out === undefined) throw usage('Nothing says where it goes: add `--out NAME.mcpr.gz`.');
  const gzip = /\.gz$/.test(out);
  if (!gzip && !/\.jsonl$/.test(out)) {
    throw usage(`\`${out}\` is no name of a recording: end it in \`.mcpr.jsonl\` or \`.mcpr.gz\`.`);
  }
  const selection = readSelection(request);
  const file = request.words[0]!;
  const source = await fileSource(resolve(file)).catch((error) => {
    throw usage(`\`${file}\` can’t be opened. ${openFailure(error, 'after `share`')}`);
  });
  const lines = sharedRecording(source, { selection, by: `mcp-inspect/${version}`, digest: sha256() });
  const chunks = gzip ? Readable.from(lines, { objectMode: false }).pipe(createGzip({ level: 9 })) : lines;
  const bytes = await writeNewFile(resolve(out), chunks).catch((error) => {
    throw usage(`\`${out}\` can’t be written: ${writeFailure(error)}. Name a new file after \`--out\`.`);
  });
  note(`${out}: ${formatSize(bytes)}`);
  return EXIT.fine;
};

function readSelection({ given }: FileRequest): FrameSelection {
  const range = given.get('frames')?.at(-1);
  const [, from, to] = /^(\d{1,15})?-(\d{1,15})?$/.exec(range ?? '-') ?? [];
  const numbers = { ...(from !== undefined && { from: Number(from) }), ...(to !== undefined && { to: Number(to) }) };
  const wrong =
    range !== undefined && (Object.keys(numbers).length === 0 || (numbers.from ?? 1) > (numbers.to ?? Infinity));
  if (wrong) throw usage(`\`--frames ${range}\` is no range: write \`--frames 10-40\`, \`10-\` or \`-40\`.`);
  const without = (['stderr', 'http'] as const).filter((channel) => given.has(`no-${channel}`));
  return { ...numbers, without };
}

function sha256() {
  const hash = createHash('sha256');
  return { update: (bytes: Uint8Array) => void hash.update(bytes), hex: () => hash.digest('hex') };
}
