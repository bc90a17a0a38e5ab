import { type ReactNode, useId } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Checkbox, TextInput } from '@/components/ui/inputs';
import { ErrorNote, Sentence } from '@/components/ui/notices';
import { saveFile } from '@/components/untrusted/download';
import type { ShareOutput } from '@/lib/hooks/share';
import type { ShareResult } from '@/lib/sharing/share-job';
import { formatCount } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { type FormatOptions, linkFault, type ShareFormat } from './formats';

/** The chosen format: its description, its options, and its text if it is one. */
export function FormatDetails({
  format,
  output,
  recording,
  impossible,
  options,
  page,
  selected,
  onOptions,
  onPage,
}: {
  readonly format: ShareFormat;
  readonly output: ShareOutput | undefined;
  /** The recording file that a report refers to. */
  readonly recording: ShareOutput | undefined;
  readonly impossible: boolean;
  readonly options: FormatOptions;
  /** URL of the page that a link opens. */
  readonly page: string;
  /** seq of the message that is selected in the log, which a report is about. */
  readonly selected: number | undefined;
  readonly onOptions: (options: FormatOptions) => void;
  readonly onPage: (page: string) => void;
}) {
  const made = output?.made;
  return (
    <div className="flex shrink-0 flex-col gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-x-4 gap-y-1">
        <p className="min-w-0 flex-1 basis-64 text-muted">
          {format.about} {format.id === 'report' && reportedText(selected)}
        </p>
        {format.id === 'recording' && (
          <Checkbox
            label="Compressed (.mcpr.gz)"
            checked={options.compressed}
            onChange={(compressed) => onOptions({ ...options, compressed })}
          />
        )}
      </div>
      {impossible && output?.failure && <ErrorNote codeless failure={output.failure} />}
      {format.id === 'link' && <LinkPage page={page} fault={linkFault(output)} onPage={onPage} />}
      {format.isText && !impossible && (
        <OutputText format={format} content={made?.content}>
          {made && format.id !== 'link' && <SaveButton {...made} label={`Save as ${extension(made.name)}`} />}
          {format.id === 'report' && recording?.made && <AttachedRecording {...recording.made} />}
        </OutputText>
      )}
    </div>
  );
}

/** Says which exchange a report is about, and how to choose another one. */
function reportedText(selected: number | undefined): string {
  return selected === undefined
    ? 'It is about your newest note or the main failure. To report another message, select it in the log first.'
    : `It is about #${selected}, which is selected in the log. Select another message to report that.`;
}

/** The page that a link opens. */
function LinkPage({
  page,
  fault,
  onPage,
}: {
  readonly page: string;
  /** Why it can't be that page. */
  readonly fault: Failure | undefined;
  readonly onPage: (page: string) => void;
}) {
  const faultId = useId();
  return (
    <>
      <TextInput
        label="URL of a hosted mcp-inspect page"
        mono
        value={page}
        onChange={onPage}
        aria-invalid={fault !== undefined}
        aria-describedby={fault && faultId}
      />
      {fault && (
        <p id={faultId} className="break-words text-error">
          <Sentence text={`${fault.message} ${fault.advice}`} />
        </p>
      )}
      {isOwn(page) && (
        <p className="text-muted">
          Links to this machine work only for you. To share one, host the page that{' '}
          <code className="font-mono text-wire">mcp-inspect open --write FOLDER</code> writes, and enter its URL.
        </p>
      )}
    </>
  );
}

/** The text that would be copied, to read before, or its room until it is made. Below it: other uses of the text. */
function OutputText({
  format: { id, title },
  content,
  children,
}: {
  readonly format: ShareFormat;
  readonly content: Blob | string | undefined;
  readonly children: ReactNode;
}) {
  const box = classNames(id === 'link' ? 'h-14' : 'h-[26vh] min-h-14', 'w-full rounded border border-line bg-bg');
  return (
    <div className="flex flex-col gap-1.5">
      {typeof content === 'string' ? (
        <textarea
          readOnly
          aria-label={title}
          value={content}
          className={`${box} resize-y p-2 font-mono text-wire break-all`}
        />
      ) : (
        <div className={box} />
      )}
      <div className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
        {id === 'link' && typeof content === 'string' && <LinkReach length={content.length} />}
        {children}
      </div>
    </div>
  );
}

function LinkReach({ length }: { readonly length: number }) {
  const characters = `${formatCount(length)} characters:`;
  if (length <= LIMITS.linkEverywhereChars) return <p className="text-muted">{characters} opens in every browser.</p>;
  return (
    <p className="text-warn">
      {characters} opens only in Chromium browsers, and mail or chat may cut it. Share a page instead.
    </p>
  );
}

/** The recording to attach to a report. */
function AttachedRecording(recording: ShareResult) {
  return (
    <>
      <SaveButton {...recording} label="Save recording" />
      <span className="min-w-0 text-muted">Attach {recording.name}: the report’s frame numbers refer to it.</span>
    </>
  );
}

function SaveButton({ content, name, label }: ShareResult & { readonly label: string }) {
  return (
    <Button size="small" onClick={() => saveFile(content, name)}>
      {label}
    </Button>
  );
}

function extension(name: string): string {
  return name.slice(name.lastIndexOf('.'));
}

function isOwn(page: string): boolean {
  return /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$)/.test(page);
}
