import { basename, join, resolve } from 'node:path';
import { writeHar } from '@/lib/recording/har/write-har';
import { bugReport } from '@/lib/sharing/bug-report';
import { createRecordingLink, linesForLink } from '@/lib/sharing/make-link';
import { writeMermaid } from '@/lib/sharing/mermaid';
import { gzipped, htmlPieces, pageBase64, withFonts } from '@/lib/sharing/share-files';
import type { ShareSource } from '@/lib/sharing/share-job';
import { type CopyOptions, sharedFrames, writeSharedCopy } from '@/lib/sharing/shared-recording';
import { formatBytes } from '@/lib/wire/format';
import { isFailure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import { PageFiles } from '@/proxy/files/page-files';
import { writeErrorReason, writeNewFile } from '@/proxy/files/private-files';

import { runWithin } from '../shared/time-limit';

/** Input of an output. */
interface Shared {
  readonly source: ShareSource;
  readonly form: CopyOptions;
  /** Running digest for the one recording that this output writes. */
  readonly digest: NonNullable<CopyOptions['digest']>;
  readonly run: CommandContext;
}

/** One output of `share`, chosen by an option. */
interface ShareOutput {
  readonly option: string;
  /** Throws an ExitError for an invalid value. */
  check(value: string): void;
  /** Throws an ExitError or a Failure if it can’t be written. */
  write(value: string, shared: Shared): Promise<void>;
}

/** All outputs, in the order in which they are written. */
export const SHARE_OUTPUTS: readonly ShareOutput[] = [
  {
    option: 'out',
    check(path) {
      if (/\.(?:jsonl|gz)$/.test(path)) return;
      throw usageError(`\`--out\` needs a file name that ends in \`.mcpr.jsonl\` or \`.mcpr.gz\`: \`${path}\`.`);
    },
    write(path, shared) {
      const chunks = writeSharedCopy(shared.source, { ...shared.form, digest: shared.digest });
      return writeTo('out', path, path.endsWith('.gz') ? chunksOf(gzipped(chunks)) : chunks, shared);
    },
  },
  {
    option: 'html',
    check(path) {
      if (!/\.html?$/.test(path)) throw usageError(`\`--html\` needs a file name that ends in \`.html\`: \`${path}\`.`);
    },
    write: (path, shared) => writePage(path, shared),
  },
  {
    option: 'link',
    check: () => {},
    async write(base, { source, form, run }) {
      const link = createRecordingLink(base, await linesForLink(writeSharedCopy(source, form)));
      run.printText(link);
      if (link.length > LIMITS.linkEverywhereChars) {
        run.printNote(
          `The link has ${link.length} characters. Only browsers based on Chromium open links this long. Share a page instead.`,
        );
      }
    },
  },
  {
    option: 'md',
    check: () => {},
    async write(_, { source, form, run }) {
      const bounded = (rules: () => void) => runWithin(LIMITS.rulesMs, rules);
      const { at, lacks } = source.about;
      const facts = {
        version: run.version,
        at,
        lacks,
        range: form.selection,
        ...reportFile(run, form),
        within: bounded,
      };
      run.printText(await bugReport(sharedFrames(source, form), facts));
    },
  },
  {
    option: 'har',
    check(path) {
      if (!/\.har$/.test(path)) throw usageError(`\`--har\` needs a file name that ends in \`.har\`: \`${path}\`.`);
    },
    async write(path, shared) {
      const { source, form, run } = shared;
      const har = await writeHar(sharedFrames(source, form), { at: source.about.at, version: run.version });
      if (har === undefined) throw usageError('Nothing went over HTTP, so the archive would be empty. Remove `--har`.');
      return writeTo('har', path, bytesOf([har]), shared);
    },
  },
  {
    option: 'mermaid',
    check: () => {},
    async write(_, { source, form, run }) {
      run.printText(await writeMermaid(sharedFrames(source, form)));
    },
  },
];

async function writeTo(
  option: string,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { run }: Shared,
): Promise<void> {
  try {
    run.printNote(`${path}: ${formatBytes(await writeNewFile(resolve(path), chunks))}`);
  } catch (error) {
    // The error is about reading, not about writing.
    if (isFailure(error)) throw error;
    throw usageError(
      `\`${path}\` can’t be written: ${writeErrorReason(error)}. Name a new file after \`--${option}\`.`,
    );
  }
}

/**
 * Returns the name of the recording that a report refers to: the one that this command writes, or else the one that the
 * command in the report would make. Secrets in names are masked.
 */
function reportFile({ request }: CommandContext, { redaction }: CopyOptions) {
  const name = (path: string) => redaction.applyText(basename(path));
  const [whole, made] = [request.words[0]!, request.given.get('out')?.at(-1)];
  if (made !== undefined) return { file: name(made) };
  const { given } = request;
  const frames = given.get('frames')?.at(-1);
  const options = [
    ...(frames === undefined ? [] : ['--frames', frames]),
    ...(given.get('without') ?? []).flatMap((word) => ['--without', word]),
    ...(given.get('keep') ?? []).flatMap((word) => ['--keep', word]),
  ];
  return {
    file: packedName(name(whole)).replace(/\.mcpr\.gz$/, '-shared.mcpr.gz'),
    from: { file: name(whole), options, masks: given.get('mask')?.length ?? 0 },
  };
}

/** Writes a page with the viewer and the recording in it. `panel`: the one to open. */
export async function writePage(path: string, shared: Shared, panel?: string): Promise<void> {
  const { home, request } = shared.run;
  const files = new PageFiles(join(home, 'ui'));
  const template = await withFonts((await files.read('viewer/page.txt')).toString(), (font) => files.read(font));
  const recording = gzipped(writeSharedCopy(shared.source, { ...shared.form, digest: shared.digest }));
  const pieces = htmlPieces(
    template,
    packedName(shared.form.redaction.applyText(basename(request.words[0]!))),
    await pageBase64(await new Response(recording).blob()),
    panel,
  );
  return writeTo('html', path, bytesOf(pieces), shared);
}

/** `a.mcpr.jsonl` → `a.mcpr.gz`. */
function packedName(name: string): string {
  return `${name.replace(/\.(?:mcpr\.)?(?:jsonl|gz)$/, '')}.mcpr.gz`;
}

/** Makes a stream iterable for TypeScript, whose types for older Node versions lack that. */
function chunksOf(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  return stream as unknown as AsyncIterable<Uint8Array>;
}

async function* bytesOf(pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}
