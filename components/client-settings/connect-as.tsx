import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/inputs';
import { HOST_PROFILES } from '@/features/host-profiles';
import { borrowedTitle } from '@/features/host-titles';
import { storedChoice } from '@/lib/hooks/drafts';
import type { HostProfile } from '@/lib/wire/client-profile';
import { type ProfileDraft, profileDraftOf } from './profile-draft';

/** 'true' once the person has agreed that a server on another machine sees a borrowed name. */
const CONSENT = storedChoice('mcp-inspect.borrows-names', ['false', 'true']);

/** Borrows the name of a host: takes over what its profile has. `isLocal`: only this machine can see the name. */
export function ConnectAs({
  draft,
  onDraft,
  isLocal,
}: {
  readonly draft: ProfileDraft;
  readonly onDraft: (draft: ProfileDraft) => void;
  readonly isLocal: boolean;
}) {
  const [asked, setAsked] = useState<HostProfile>();
  const as = asked?.id ?? draft.host?.as ?? '';
  const shown = HOST_PROFILES.find(({ id }) => id === as);
  const change = (profile: HostProfile | undefined) =>
    onDraft({ ...profileDraftOf(profile?.client ?? {}), meta: draft.meta });
  const choose = (id: string) => {
    const profile = HOST_PROFILES.find((one) => one.id === id);
    const mayChange = profile === undefined || isLocal || CONSENT.get() === 'true';
    setAsked(mayChange ? undefined : profile);
    if (mayChange) change(profile);
  };
  if (HOST_PROFILES.length === 0) return null;
  const known = HOST_PROFILES.map(({ id, title, version }) => ({ value: id, label: `${title} ${version}` }));
  // A recording, or another version, may name a host that has no profile here.
  const unknown = as !== '' && !shown ? [{ value: as, label: borrowedTitle(as) }] : [];
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Select
        label="Connect as"
        className="self-start"
        value={as}
        onChange={choose}
        options={[{ value: '', label: 'mcp-inspect' }, ...known, ...unknown]}
      />
      {shown && (
        <p className="text-small break-words text-muted">
          Taken from {shown.from}, {shown.on}
        </p>
      )}
      {asked && (
        <div role="alert" className="flex min-w-0 flex-wrap items-center gap-2">
          <p className="min-w-0 flex-1 basis-60">
            The server will take mcp-inspect for {asked.title}. Recordings and <code>User-Agent</code> still say
            mcp-inspect.
          </p>
          <Button size="small" onClick={() => setAsked(undefined)}>
            Cancel
          </Button>
          <Button
            size="small"
            variant="primary"
            onClick={() => {
              CONSENT.set('true');
              setAsked(undefined);
              change(asked);
            }}
          >
            Use its name
          </Button>
        </div>
      )}
    </div>
  );
}
