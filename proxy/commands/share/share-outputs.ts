import { join, resolve } from 'node:path';
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
import { type CommandContext, lastValue } from '@/proxy/cli/grammar';
import { PageFiles } from '@/proxy/files/page-files';
import { writeErrorReason, writeNewFile } from '@/proxy/files/private-files';

import type { OutputChoice } from '../shared/output-options';
import { runWithin } from '../shared/time-limit';

/** A recording that is shared, and what of it. */
interface Shared {
  readonly source: ShareSource;
  readonly form: CopyOptions;
  /** Running digest for the one recording that is written. */
  readonly digest: NonNullable<CopyOptions['digest']>;
  /** Name of its file. */
  readonly name: string;
  readonly run: CommandContext;
}

/** One form in which a recording is shared. */
interface ShareForm {
  /** Ends of the names of its files, the usual one first. */
  readonly ends: readonly string[];
  /** Set if it can’t be printed. */
  readonly needsFile?: true;
  /** Makes the text, or the content of the file `out`. Throws an ExitError or a Failure. */
  make(shared: Shared, out: string): Promise<string | AsyncIterable<Uint8Array>>;
}

/** All forms, by the name after `--format`. */
export const SHARE_FORMS: Readonly<Record<string, ShareForm>> = {
  mcpr: {
    ends: ['.mcpr.jsonl', '.mcpr.gz', '.jsonl', '.gz'],
    needsFile: true,
    async make({ source, form, digest }, out) {
      const chunks = writeSharedCopy(source, { ...form, digest });
      return out.endsWith('.gz') ? chunksOf(gzipped(chunks)) : chunks;
    },
  },
  html: { ends: ['.html', '.htm'], needsFile: true, make: (shared) => makePage(shared) },
  link: {
    ends: ['.txt'],
    async make({ source, form, run }) {
      const page = lastValue(run.request.given, 'page.url');
      const link = createRecordingLink(page!, await linesForLink(writeSharedCopy(source, form)));
      if (link.length > LIMITS.linkEverywhereChars) {
        run.printNote(
          `The link has ${link.length} characters. Only browsers based on Chromium open links this long. Share a page instead.`,
        );
      }
      return link;
    },
  },
  md: {
    ends: ['.md'],
    make({ source, form, name, run }) {
      const bounded = (rules: () => void) => runWithin(LIMITS.rulesMs, rules);
      const { at, lacks } = source.about;
      const facts = { version: run.version, at, lacks, range: form.selection, ...reportFile(name, run, form) };
      return bugReport(sharedFrames(source, form), { ...facts, within: bounded });
    },
  },
  har: {
    ends: ['.har'],
    needsFile: true,
    async make({ source, form, run }) {
      const har = await writeHar(sharedFrames(source, form), { at: source.about.at, version: run.version });
      if (har !== undefined) return bytesOf([har]);
      throw usageError('Nothing went over HTTP, so the archive would be empty. Choose another format.');
    },
  },
  mermaid: { ends: ['.mmd', '.mermaid'], make: ({ source, form }) => writeMermaid(sharedFrames(source, form)) },
};

/** Writes a recording in a form to a new file, or prints it. Returns the bytes of the file. Throws an ExitError. */
export async function writeShared({ format, out }: OutputChoice, shared: Shared): Promise<number | undefined> {
  const made = await SHARE_FORMS[format]!.make(shared, out ?? '');
  if (out !== undefined) return writeTo(out, typeof made === 'string' ? bytesOf([`${made}\n`]) : made, shared);
  shared.run.printText(made as string);
  return undefined;
}

async function writeTo(path: string, chunks: AsyncIterable<Uint8Array>, { run }: Shared): Promise<number> {
  try {
    const bytes = await writeNewFile(resolve(path), chunks);
    run.printNote(`${path}: ${formatBytes(bytes)}`);
    return bytes;
  } catch (error) {
    // The error is about reading, not about writing.
    if (isFailure(error)) throw error;
    throw usageError(`\`${path}\` can’t be written: ${writeErrorReason(error)}. Name a new file after \`--out\`.`);
  }
}

/**
 * Returns the name of the recording that a report refers to: the one that the command in the report would make. Secrets
 * in names are masked.
 */
function reportFile(file: string, { request }: CommandContext, { redaction }: CopyOptions) {
  const whole = redaction.applyText(file);
  const { given } = request;
  const frames = given.get('frames')?.at(-1);
  const options = [
    ...(frames === undefined ? [] : ['--frames', frames]),
    ...(given.get('without') ?? []).flatMap((word) => ['--without', word]),
    ...(given.get('keep') ?? []).flatMap((word) => ['--keep', word]),
  ];
  return {
    file: packedName(whole).replace(/\.mcpr\.gz$/, '-shared.mcpr.gz'),
    from: { file: whole, options, masks: given.get('mask')?.length ?? 0 },
  };
}

/** Writes a page with the viewer and the recording in it. `panel`: the one to open. */
export async function writePage(path: string, shared: Shared, panel?: string): Promise<void> {
  await writeTo(path, await makePage(shared, panel), shared);
}

async function makePage(shared: Shared, panel?: string): Promise<AsyncIterable<Uint8Array>> {
  const { source, form, digest, name, run } = shared;
  const files = new PageFiles(join(run.home, 'ui'));
  const template = await withFonts((await files.read('viewer/page.txt')).toString(), (font) => files.read(font));
  const recording = gzipped(writeSharedCopy(source, { ...form, digest }));
  return bytesOf(
    htmlPieces(
      template,
      packedName(form.redaction.applyText(name)),
      await pageBase64(await new Response(recording).blob()),
      panel,
    ),
  );
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
