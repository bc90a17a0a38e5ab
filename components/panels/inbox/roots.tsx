import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote } from '@/components/ui/error-note';
import { TextInput } from '@/components/ui/text-input';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/use-client';
import { useLogState } from '@/lib/hooks/use-log';
import type { Log } from '@/lib/store/log';
import { CLIENT_FEATURES, type Root } from '@/lib/wire/client-features';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';

const NONE: readonly Root[] = [];

/** The roots that this connection tells when it is asked: kept by the person, none at first. */
export function Roots({ log }: { readonly log: Log }) {
  const client = useClient();
  const roots = useLogState(log, (state) => state.connection.roots ?? NONE);
  const open = useLogState(log.whole, (state) => state.connection.state === 'open');
  const modern = useLogState(log, (state) => state.connection.era === 'modern');
  const declared = useLogState(log, ({ connection }) =>
    (connection.start?.features ?? CLIENT_FEATURES).includes('roots'),
  );
  const [uri, setUri] = useState('');
  const [name, setName] = useState('');
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
    <div className="flex min-h-0 max-w-[760px] flex-1 flex-col gap-3 overflow-auto p-3">
      <h2 className="font-medium">Roots</h2>
      <p className="text-muted">
        A server that asks <code className="font-mono text-wire">roots/list</code> is told these at once.{' '}
        {declared
          ? modern
            ? 'In this version servers hear of a change when they ask again.'
            : 'A change is announced to it.'
          : 'This connection does not declare roots, so the server is to ask for none.'}
      </p>
      {roots.length === 0 && <p>None: the answer is an empty list.</p>}
      {roots.length > 0 && (
        <ul aria-label="Roots" className="flex flex-col gap-1">
          {roots.map((root, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same root may be there twice
            <li key={index} className="flex min-w-0 items-center gap-2">
              <code className="min-w-0 font-mono text-wire break-all">{visibleText(root.uri)}</code>
              {root.name !== undefined && <span className="text-muted">{visibleText(root.name)}</span>}
              {!/^file:\/\//i.test(root.uri) && <span className="text-small text-warn">! no file: URI</span>}
              <span className="flex-1" />
              <Button
                size="small"
                aria-label={`Remove ${visibleText(root.uri)}`}
                disabled={!open}
                onClick={() => void change(roots.filter((_, at) => at !== index))}
              >
                Remove
              </Button>
            </li>
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
    </div>
  );
}
