import { useLayoutEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { ErrorNote } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import type { OfferedUrl } from '@/lib/hooks/linked-recording';
import { readLinkedUrl } from '@/lib/sharing/linked-url';

/** Asks whether to fetch the recording that a link names. A link is from anybody, so nothing is fetched before. */
export function LinkedUrlDialog({ text, onAnswer }: OfferedUrl) {
  const [linked] = useState(() => readLinkedUrl(text, window.location.hostname));
  const hidden = 'code' in linked || linked.hasQuery;
  // Reloads, copies of the address and screenshots need no signature. The address is clean before anything is drawn.
  useLayoutEffect(() => {
    if (hidden) dropFragment();
  }, [hidden]);
  const cancel = () => {
    dropFragment();
    onAnswer(undefined);
  };
  if ('code' in linked) {
    return (
      <Dialog title="This link can’t be opened" onClose={cancel}>
        <ErrorNote failure={linked} />
      </Dialog>
    );
  }
  const { host, path, name, hasQuery, place, url } = linked;
  return (
    <Dialog title="Fetch a recording from this host?" onClose={cancel}>
      <div className="flex flex-col gap-3">
        <p className="break-all">
          <bdi className="font-mono text-title font-medium">{visibleText(host)}</bdi>
          <bdi className="block max-h-24 overflow-auto font-mono text-wire text-muted">{visibleText(path)}</bdi>
        </p>
        {place !== 'public' && (
          <p className="text-warn">
            <span aria-hidden="true">! </span>
            {place === 'this machine' ? 'This address is on your machine.' : 'This address may be in your own network.'}
          </p>
        )}
        <p>
          Your browser requests the file, without cookies, so the host learns your IP address. Anybody can make such a
          link: fetch only what you expect.
        </p>
        {hasQuery && (
          <p className="text-muted">
            The rest of the link may be a signature, so it is hidden. It is used to open this recording, and not kept.
          </p>
        )}
        <div className="flex gap-2">
          <Button variant="primary" onClick={() => onAnswer({ name, url })}>
            Fetch and open
          </Button>
          <Button onClick={cancel}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  );
}

function dropFragment(): void {
  const { pathname, search } = window.location;
  window.history.replaceState(null, '', pathname + search);
}
