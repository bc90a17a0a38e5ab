import { useEffect, useId, useRef, useState } from 'react';
import { Button, CopyButton } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { TextInput } from '@/components/ui/inputs';
import { saveFile } from '@/components/untrusted/download';
import type { ShareWish } from '@/lib/hooks/share';
import type { ShareKind, ShareResult } from '@/lib/sharing/share-job';
import type { ConnectionSummary } from '@/lib/wire/command';
import { formatBytes, formatCount } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';

const KINDS: readonly { readonly kind: ShareKind; readonly title: string; readonly about: string }[] = [
  {
    kind: 'html',
    title: 'Page',
    about: 'Viewer and recording in one .html file, works offline',
  },
  { kind: 'gz', title: 'File', about: 'Compressed recording (.mcpr.gz) for mcp-inspect' },
  { kind: 'jsonl', title: 'Plain file', about: 'Uncompressed recording (.mcpr.jsonl), one line per frame' },
  { kind: 'link', title: 'Link', about: 'URL that contains the recording, for short ones' },
  { kind: 'markdown', title: 'Bug report', about: 'Markdown with the failure, the steps to it, problems and stderr' },
  {
    kind: 'mermaid',
    title: 'Diagram',
    about: 'Mermaid sequence diagram, which GitHub displays',
  },
  { kind: 'har', title: 'HTTP Archive', about: 'HTTP traffic (.har) for browser tools and proxies' },
];

/**
 * Second step of sharing: choose a format, then save or copy the output. The output is made after the choice, because
 * making it can take long.
 */
export function OutputStep({
  connection,
  make,
  busy,
  bytes,
  decisions,
  patterns,
  selected,
  onBack,
}: {
  readonly connection: ConnectionSummary;
  readonly make: (wish: ShareWish) => Promise<ShareResult | undefined>;
  readonly busy: boolean;
  /** Size of the shared frames, uncompressed. */
  readonly bytes: number;
  readonly decisions: ShareWish['decisions'];
  readonly patterns: ShareWish['patterns'];
  readonly selected: number | undefined;
  readonly onBack: () => void;
}) {
  const [kind, setKind] = useState<ShareKind>();
  const [page, setPage] = useState(() => `${window.location.origin}${window.location.pathname}`);
  const [made, setMade] = useState<ShareResult & { readonly kind: ShareKind }>();
  const name = fileName(connection);
  const order = async () => {
    setMade(undefined);
    if (!kind) return;
    const about = kind === 'markdown' && selected !== undefined ? { about: selected } : {};
    const done = await make({ kind, decisions, patterns, name, page, ...about });
    if (done) setMade({ ...done, kind });
  };
  const saveRecording = async () => {
    const done = await make({ kind: 'gz', decisions, patterns, name });
    if (done && typeof done.content !== 'string') saveFile(done.content, done.name);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new format is made at once, a new page address on submit
  useEffect(() => {
    void order();
  }, [kind]);
  const shown = made?.kind === kind ? made : undefined;
  return (
    <div className="flex flex-col gap-3">
      <KindChoice kind={kind} hasHttp={connection.transport !== 'stdio'} onChoose={setKind} />
      {kind === 'link' && <LinkOptions page={page} bytes={bytes} onPage={setPage} onCreate={() => void order()} />}
      <div className="flex min-h-16 flex-col gap-2">
        {shown && <Made made={shown} />}
        {shown?.kind === 'markdown' && (
          <p className="flex flex-wrap items-center gap-2">
            <Button size="small" onClick={() => void saveRecording()}>
              Save recording
            </Button>
            <span className="text-muted">Attach {name}.mcpr.gz: the report’s frame numbers refer to it.</span>
          </p>
        )}
      </div>
      <div className="flex items-center gap-3 border-t border-line pt-3">
        <Button onClick={onBack}>Back</Button>
        <p role="status" className="flex-1 text-muted">
          {busy ? 'Working…' : shown ? maskedText(shown.masked) : ''}
        </p>
      </div>
    </div>
  );
}

/** The formats to choose from. The first takes the focus, because the focused Continue button is gone. */
function KindChoice({
  kind,
  hasHttp,
  onChoose,
}: {
  readonly kind: ShareKind | undefined;
  /** The log has HTTP frames. */
  readonly hasHttp: boolean;
  readonly onChoose: (kind: ShareKind) => void;
}) {
  const group = useId();
  const kinds = useRef<HTMLFieldSetElement>(null);
  useEffect(() => kinds.current?.querySelector('input')?.focus(), []);
  return (
    <fieldset ref={kinds} className="flex flex-col">
      <legend className="sr-only">Share as</legend>
      {KINDS.filter((row) => row.kind !== 'har' || hasHttp).map((row) => (
        <label key={row.kind} className="flex min-h-7 items-baseline gap-2">
          <input
            type="radio"
            name={group}
            checked={kind === row.kind}
            onChange={() => onChoose(row.kind)}
            className="translate-y-0.5 accent-accent"
          />
          <span className="w-24 shrink-0 font-medium">{row.title}</span>
          <span className="text-muted">{row.about}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The page that a link opens, and the limits of its length. */
function LinkOptions({
  page,
  bytes,
  onPage,
  onCreate,
}: {
  readonly page: string;
  readonly bytes: number;
  readonly onPage: (page: string) => void;
  readonly onCreate: () => void;
}) {
  return (
    <>
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onCreate();
        }}
      >
        <div className="flex-1">
          <TextInput label="URL of a hosted mcp-inspect page" mono value={page} onChange={onPage} />
        </div>
        <Button type="submit">Create link</Button>
      </form>
      <p className="text-muted">
        Links up to {formatCount(LIMITS.linkEverywhereChars)} characters open in every browser; the limit is{' '}
        {formatCount(LIMITS.linkChars)}. These frames are {formatBytes(bytes)} before compression.
      </p>
      {isOwn(page) && (
        <p className="text-muted">
          Links to this machine work only for you. To share one, host the package’s dist/ui folder and enter its URL.
        </p>
      )}
    </>
  );
}

function Made({ made: { content, name, kind } }: { readonly made: ShareResult & { readonly kind: ShareKind } }) {
  if (typeof content !== 'string') {
    return (
      <p className="flex items-center gap-3">
        <Button variant="primary" onClick={() => saveFile(content, name)}>
          Save
        </Button>
        <span>
          {name}, {formatBytes(content.size)}
        </span>
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <textarea
        readOnly
        aria-label={KINDS.find((row) => row.kind === kind)!.title}
        value={content}
        className={classNames(
          kind === 'link' ? 'h-22' : 'h-[26vh]',
          'w-full resize-y border border-line bg-bg p-2 font-mono text-wire break-all',
        )}
      />
      <p className="flex items-center gap-2">
        <CopyButton label="Copy" text={() => content} />
        {kind !== 'link' && (
          <Button size="small" onClick={() => saveFile(content, name)}>
            Save
          </Button>
        )}
        <span>{formatCount(content.length)} characters</span>
        {kind === 'link' && <LinkReach length={content.length} />}
      </p>
    </div>
  );
}

function LinkReach({ length }: { readonly length: number }) {
  if (length <= LIMITS.linkEverywhereChars) return <span className="text-muted">opens in every browser</span>;
  return (
    <span className="text-warn">
      Over {formatCount(LIMITS.linkEverywhereChars)} characters: opens only in Chromium browsers, and mail or chat may
      cut it. Share a page instead.
    </span>
  );
}

function maskedText(masked: number): string {
  if (masked === 0) return 'Nothing was masked.';
  return masked === 1 ? '1 place is masked.' : `${formatCount(masked)} places are masked.`;
}

function isOwn(page: string): boolean {
  return /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$)/.test(page);
}

/** Returns a file name: the connection's name and date. */
function fileName({ name, startedAt }: ConnectionSummary): string {
  const words = name
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return [words || 'session', startedAt.slice(0, 10)].filter(Boolean).join('-');
}
