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
    about: 'the viewer and the recording in one .html: opens by a double click, needs no network',
  },
  { kind: 'gz', title: 'File', about: 'the recording as .mcpr.gz, which mcp-inspect opens' },
  { kind: 'jsonl', title: 'Plain file', about: 'the same as .mcpr.jsonl, a line of text a frame' },
  { kind: 'link', title: 'Link', about: 'an address with the recording in it, for short sessions' },
  { kind: 'markdown', title: 'Bug report', about: 'Markdown: what failed, the steps there, problems, stderr' },
  {
    kind: 'mermaid',
    title: 'Diagram',
    about: 'a sequence diagram in Mermaid’s language, which GitHub and others draw',
  },
  { kind: 'har', title: 'HTTP Archive', about: 'what went over HTTP, as browsers’ tools and proxies open it' },
];

/** As what it leaves: nothing is made before it is chosen, since that may take long; then it is saved or copied. */
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
  /** Of what leaves. */
  readonly bytes: number;
  readonly decisions: ShareWish['decisions'];
  readonly patterns: ShareWish['patterns'];
  readonly selected: number | undefined;
  readonly onBack: () => void;
}) {
  const [kind, setKind] = useState<ShareKind>();
  const [page, setPage] = useState(() => `${window.location.origin}${window.location.pathname}`);
  const [made, setMade] = useState<ShareResult & { readonly kind: ShareKind }>();
  const group = useId();
  const kinds = useRef<HTMLFieldSetElement>(null);
  // In the place of the button that led here.
  useEffect(() => kinds.current?.querySelector('input')?.focus(), []);
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: made anew for another kind; another address asks by its button
  useEffect(() => {
    void order();
  }, [kind]);
  const shown = made?.kind === kind ? made : undefined;
  return (
    <div className="flex flex-col gap-3">
      <fieldset ref={kinds} className="flex flex-col">
        <legend className="sr-only">Share as</legend>
        {KINDS.filter((row) => row.kind !== 'har' || connection.transport !== 'stdio').map((row) => (
          <label key={row.kind} className="flex min-h-7 items-baseline gap-2">
            <input
              type="radio"
              name={group}
              checked={kind === row.kind}
              onChange={() => setKind(row.kind)}
              className="translate-y-0.5 accent-accent"
            />
            <span className="w-24 shrink-0 font-medium">{row.title}</span>
            <span className="text-muted">{row.about}</span>
          </label>
        ))}
      </fieldset>
      {kind === 'link' && (
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            void order();
          }}
        >
          <div className="flex-1">
            <TextInput label="Where the inspector’s page is" mono value={page} onChange={setPage} />
          </div>
          <Button type="submit">Make the link</Button>
        </form>
      )}
      {kind === 'link' && (
        <p className="text-muted">
          Up to {formatCount(LIMITS.linkEverywhereChars)} characters open in every browser, more than{' '}
          {formatCount(LIMITS.linkChars)} in none: what leaves has {formatBytes(bytes)} before it is packed.
        </p>
      )}
      {kind === 'link' && isOwn(page) && (
        <p className="text-muted">
          This address is on your machine. For others, give that of a page that is hosted: the package’s dist/ui on any
          static host.
        </p>
      )}
      <div className="flex min-h-16 flex-col gap-2">
        {shown && <Made made={shown} />}
        {shown?.kind === 'markdown' && (
          <p className="flex flex-wrap items-center gap-2">
            <Button size="small" onClick={() => void saveRecording()}>
              Save its recording
            </Button>
            <span className="text-muted">The report’s frame numbers are those of {name}.mcpr.gz: attach it.</span>
          </p>
        )}
      </div>
      <div className="flex items-center gap-3 border-t border-line pt-3">
        <Button onClick={onBack}>Back</Button>
        <p role="status" className="flex-1 text-muted">
          {busy ? 'Working…' : shown ? maskedWords(shown.masked) : ''}
        </p>
      </div>
    </div>
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
      Over {formatCount(LIMITS.linkEverywhereChars)} only browsers made from Chromium open it, and mail and chat
      programs cut it: share a page instead.
    </span>
  );
}

function maskedWords(masked: number): string {
  if (masked === 0) return 'Nothing had to be masked.';
  return masked === 1 ? 'One place is masked.' : `${formatCount(masked)} places are masked.`;
}

function isOwn(page: string): boolean {
  return /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$)/.test(page);
}

/** Of the connection, fit for a file, with the day it was. */
function fileName({ name, startedAt }: ConnectionSummary): string {
  const words = name
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return [words || 'session', startedAt.slice(0, 10)].filter(Boolean).join('-');
}
