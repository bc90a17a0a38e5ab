import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { TextInput } from '@/components/ui/inputs';
import { ErrorNote } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/client';
import { useProfile } from '@/lib/hooks/client-profile';
import { useDraft } from '@/lib/hooks/drafts';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { declaredBy } from '@/lib/wire/client-profile';
import type { Root } from '@/lib/wire/connection-settings';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';

const NONE: readonly Root[] = [];

/** Edits the roots that this connection sends to its server. There are none at first. */
export function RootsEditor({ log }: { readonly log: Log }) {
  const client = useClient();
  const roots = useLogState(log, (state) => state.connection.roots ?? NONE);
  const open = useLogState(log.whole, (state) => state.connection.state === 'open');
  const modern = useLogState(log, (state) => state.connection.era === 'modern');
  const declared = declaredBy(useProfile(log)).roots;
  const server = useLogState(log, (state) => state.connection.start?.name ?? '');
  const [uri, setUri] = useDraft(`root uri ${server}`, '');
  const [name, setName] = useDraft(`root name ${server}`, '');
  const [failure, setFailure] = useState<Failure>();
  const change = async (next: readonly Root[]) => {
    setFailure(undefined);
    try {
      await client.send({ type: 'set-roots', connection: log.connection, roots: next });
      return true;
    } catch (error) {
      setFailure(error as Failure);
      return false;
    }
  };
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (uri === '' || roots.length >= LIMITS.roots) return;
    if (await change([...roots, { uri, ...(name !== '' && { name }) }])) {
      setUri('');
      setName('');
    }
  };
  return (
    <>
      <p className="text-muted">
        Sent when the server requests <code className="font-mono text-wire">roots/list</code>.{' '}
        {declared
          ? modern
            ? 'The server sees a change with its next request.'
            : declared.listChanged
              ? 'The server is notified of changes.'
              : 'The server is not notified of changes.'
          : 'This connection does not declare roots, so the server must not ask for them.'}
      </p>
      {roots.length === 0 && <p>No roots: the server gets an empty list</p>}
      {roots.length > 0 && (
        <ul aria-label="Roots" className="flex flex-col gap-1">
          {roots.map((root, index) => (
            <RootItem
              // biome-ignore lint/suspicious/noArrayIndexKey: the same root may be there twice
              key={index}
              root={root}
              disabled={!open}
              onRemove={() => void change(roots.filter((_, at) => at !== index))}
            />
          ))}
        </ul>
      )}
      <form onSubmit={(event) => void add(event)} className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-60">
          <TextInput mono label="URI" placeholder="file:///home/me/project" value={uri} onChange={setUri} />
        </div>
        <div className="min-w-0 basis-40">
          <TextInput label="Name (optional)" value={name} onChange={setName} />
        </div>
        <Button type="submit" disabled={!open || uri === '' || roots.length >= LIMITS.roots}>
          Add root
        </Button>
      </form>
      {failure && <ErrorNote failure={failure} />}
    </>
  );
}

function RootItem({
  root: { uri, name },
  disabled,
  onRemove,
}: {
  readonly root: Root;
  readonly disabled: boolean;
  readonly onRemove: () => void;
}) {
  return (
    <li className="flex min-w-0 items-center gap-2">
      <code className="min-w-0 font-mono text-wire break-all">{visibleText(uri)}</code>
      {name !== undefined && <span className="text-muted">{visibleText(name)}</span>}
      {!/^file:\/\//i.test(uri) && <span className="text-small text-warn">! not a file: URI</span>}
      <span className="flex-1" />
      <Button size="small" aria-label={`Remove ${visibleText(uri)}`} disabled={disabled} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}
