import { ResultRegion } from '@/components/exchange/result-region';
import { useRequest } from '@/components/exchange/use-request';
import { Button } from '@/components/ui/button';
import { SEND_KEYS } from '@/components/ui/key-press';
import { ErrorNote } from '@/components/ui/notices';
import { useShortcuts } from '@/components/ui/shortcuts';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useReadOnly } from '@/lib/hooks/connections';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { useResourceHistories } from '@/lib/hooks/resource-history';
import { isObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { childrenIn, READ_DIRECTORY, type ResourceHistories } from '@/lib/store/resource-history';
import type { ListEntry, LogState, ResourceEntry } from '@/lib/store/state/state';
import { countOf, formatBytes, formatCount } from '@/lib/wire/format';
import { EXTENSION } from '@/lib/wire/protocol-names';
import { useFirstRead } from '../shared/first-read';
import { Freshness } from '../shared/freshness';
import { isDirectory } from './directory-type';
import { ResourceSection } from './resource-facts';

/** True if the server declares that it lists the children of directories. */
function offersDirectories({ server: { capabilities } }: LogState): boolean {
  const extensions = capabilities && own(capabilities, 'extensions');
  const skills = isObject(extensions) ? own(extensions, EXTENSION.skills) : undefined;
  return isObject(skills) && own(skills, 'directoryRead') === true;
}

/** True for a resource that is shown as a directory: its entry says so, or it was read as one. */
export function useIsDirectory(log: Log, uri: string, entry: ListEntry | undefined): boolean {
  const offered = useLogState(log, offersDirectories);
  const wasRead = useResourceHistories(log).directoryReadsOf(uri).length > 0;
  return wasRead || (offered && isDirectory(entry));
}

/** Returns the URI of the directory that holds a resource; undefined at the root. */
export function parentOf(uri: string): string | undefined {
  const [start = ''] = /^[a-z][\w+.-]*:\/*/i.exec(uri) ?? [];
  const path = uri.slice(start.length).replace(/\/+$/, '');
  const end = path.lastIndexOf('/');
  return start === '' || end <= 0 ? undefined : start + path.slice(0, end);
}

interface OpenDirectoryProps {
  readonly log: Log;
  readonly uri: string | undefined;
  readonly label: string;
}

/** Reads a directory and shows it. Empty if the server offers none; in a recording, if it was never read. */
export function OpenDirectory({ log, uri, label }: OpenDirectoryProps) {
  const offered = useLogState(log, offersDirectories);
  const readOnly = useReadOnly(log);
  const firstRead = useFirstRead(log);
  const wasRead = useResourceHistories(log).directoryReadsOf(uri ?? '').length > 0;
  if (uri === undefined || !offered || (readOnly && !wasRead)) return null;
  return (
    <Button
      onClick={() => {
        firstRead(uri, { method: READ_DIRECTORY });
        navigate({ item: uri });
      }}
    >
      {label}
    </Button>
  );
}

interface DirectoryDetailProps {
  readonly log: Log;
  readonly uri: string;
  readonly entry: ResourceEntry | undefined;
}

/** One directory: its description and its children. */
export function DirectoryDetail({ log, uri, entry }: DirectoryDetailProps) {
  const request = useRequest(log, READ_DIRECTORY, uri);
  const { exchange, closed } = request;
  const read = (cursor?: unknown) => request.send(JSON.stringify({ uri, cursor }));
  const blocked = closed !== undefined;
  const histories = useResourceHistories(log);
  const { children, next } = pagesOf(log, histories, uri);
  useShortcuts([{ keys: SEND_KEYS, title: 'Read directory', run: () => !blocked && read() }]);
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
      <ResourceSection
        log={log}
        entry={entry}
        uri={uri}
        actions={
          <>
            {!request.readOnly && (
              <Button variant={exchange ? 'plain' : 'primary'} disabled={blocked} title={closed} onClick={() => read()}>
                {exchange ? 'Read again' : 'Read directory'}
              </Button>
            )}
            <OpenDirectory log={log} uri={parentOf(uri)} label="Open its directory" />
          </>
        }
      />
      {request.failure && <ErrorNote failure={request.failure} />}
      <ResultRegion request={request} empty="Read the directory to see its children">
        {() => (
          <>
            <p className="flex flex-wrap gap-x-3 text-small">
              <Freshness log={log} seq={exchange!.responseSeq!} verb="read" />
              <span className="text-muted">{countOf(children.length, 'item')}</span>
            </p>
            <Children entries={children} />
            {next !== undefined && !request.readOnly && (
              <Button disabled={blocked} onClick={() => read(next)} className="self-start">
                Read more
              </Button>
            )}
          </>
        )}
      </ResultRegion>
    </div>
  );
}

/** Collects the pages of the newest reading of a directory, and the cursor of the page that is left. */
function pagesOf(log: Log, histories: ResourceHistories, uri: string) {
  let children: readonly ResourceEntry[] = [];
  let next: unknown;
  for (const read of histories.directoryReadsOf(uri)) {
    if (read.status !== 'ok' || read.responseSeq === undefined) continue;
    const cursor = messageSource(log, read.requestSeq)?.member('params')?.member('cursor')?.value;
    const page = childrenIn(log, read);
    if (cursor === undefined) children = page;
    else if (cursor === next) children = [...children, ...page];
    else continue;
    next = messageSource(log, read.responseSeq, read.id)?.member('result')?.member('nextCursor')?.value;
  }
  return { children, next };
}

/** Most children drawn. */
const MOST_CHILDREN = 500;

function Children({ entries }: { readonly entries: readonly ResourceEntry[] }) {
  if (entries.length === 0) return <p className="text-muted">This directory is empty</p>;
  return (
    <>
      <ul aria-label="Children" className="min-w-0">
        {entries.slice(0, MOST_CHILDREN).map((entry) => (
          <li
            key={`${entry.place} ${entry.uri}`}
            className="flex min-w-0 flex-wrap items-baseline gap-x-3 border-b border-line py-1"
          >
            <Child entry={entry} />
          </li>
        ))}
      </ul>
      {entries.length > MOST_CHILDREN && (
        <p className="text-muted">{formatCount(entries.length - MOST_CHILDREN)} more under Raw</p>
      )}
    </>
  );
}

function Child({ entry }: { readonly entry: ResourceEntry }) {
  const { raw, name, uri } = entry;
  const size = own(raw, 'size');
  const type = own(raw, 'mimeType');
  return (
    <>
      <button
        type="button"
        className="min-w-0 text-left font-mono text-wire break-all text-link"
        onClick={() => navigate({ item: uri })}
      >
        <UntrustedText text={`${name || uri || '(no name)'}${isDirectory(entry) ? '/' : ''}`} limit={200} />
      </button>
      <span className="text-small text-muted">
        {typeof type === 'string' && !isDirectory(entry) && <UntrustedText text={type} limit={60} />}
        {typeof size === 'number' && ` ${formatBytes(size)}`}
      </span>
      {entry.problem !== undefined && <span className="text-warn">! {entry.problem}</span>}
    </>
  );
}
