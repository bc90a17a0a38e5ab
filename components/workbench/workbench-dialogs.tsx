import { Suspense } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { Spinner } from '@/components/ui/notices';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { useElsewhere } from '@/lib/hooks/elsewhere';
import { navigate } from '@/lib/hooks/location';
import { askToShare, useAskedShare } from '@/lib/hooks/share-request';
import { endedRuns } from './connection-list';
import { LaterParts, PartFailed } from './part-boundary';
import type { WorkbenchState } from './use-workbench';

// Loaded when the page is idle. A shared file leaves most dialogs out: see scripts/build-viewer.mjs.
const KeysDialog = lazyWhenIdle(() => import('./keys-dialog').then((file) => file.KeysDialog));
const SettingsDialog = lazyWhenIdle(() => import('./settings/settings-dialog').then((file) => file.SettingsDialog));
const AddServer = lazyWhenIdle(() => import('./connect/add-server').then((file) => file.AddServer));
const ElsewhereDialog = lazyWhenIdle(() => import('./elsewhere').then((file) => file.ElsewhereDialog));
const LinkedUrlDialog = lazyWhenIdle(() => import('./linked-url-dialog').then((file) => file.LinkedUrlDialog));
const Share = lazyWhenIdle(() => import('./share/share').then((file) => file.LogShare));
const WorkbenchPalette = lazyWhenIdle(() => import('./palette').then((file) => file.WorkbenchPalette));

/** The workbench's open dialog, and what was asked of a recorded session. */
export function WorkbenchDialogs({ workbench }: { readonly workbench: WorkbenchState }) {
  const wish = useElsewhere();
  return (
    <>
      <GuardedDialog workbench={workbench} />
      <LaterParts name="The dialog">
        {wish && <ElsewhereDialog wish={wish} workbench={workbench} />}
        {workbench.linkedUrl && <LinkedUrlDialog {...workbench.linkedUrl} />}
      </LaterParts>
    </>
  );
}

/** A dialog that fails, for example because its code can't be loaded, leaves the page as it is. */
function GuardedDialog({ workbench }: { readonly workbench: WorkbenchState }) {
  const { dialog, setDialog } = workbench;
  const asked = useAskedShare();
  const close = () => {
    askToShare(undefined);
    setDialog(undefined);
  };
  return (
    <RenderGuard
      about={`${dialog} ${asked?.log.id}`}
      fallback={(failed) => (
        <Dialog title="Something went wrong" onClose={close}>
          <PartFailed name="The dialog" failed={failed} />
        </Dialog>
      )}
    >
      <OpenDialog workbench={workbench} />
    </RenderGuard>
  );
}

function OpenDialog({ workbench }: { readonly workbench: WorkbenchState }) {
  const { dialog, setDialog, selected } = workbench;
  const close = () => setDialog(undefined);
  const asked = useAskedShare();
  if (asked) {
    return (
      <Suspense fallback={<LoadingDialog onClose={() => askToShare(undefined)} />}>
        <Share key={asked.log.id} connection={asked.log} panel={asked.panel} onClose={() => askToShare(undefined)} />
      </Suspense>
    );
  }
  if (dialog === undefined) return null;
  if (dialog === 'add') {
    return (
      <Dialog title="Add server" width="wide" onClose={close}>
        <AddServerForm workbench={workbench} />
      </Dialog>
    );
  }
  return (
    <Suspense fallback={<LoadingDialog onClose={close} />}>
      {dialog === 'keys' && <KeysDialog onClose={close} />}
      {dialog === 'palette' && <PaletteDialog workbench={workbench} onClose={close} />}
      {dialog === 'settings' && <SettingsDialog onClose={close} />}
      {dialog === 'share' && selected && <Share key={selected.id} connection={selected} onClose={close} />}
    </Suspense>
  );
}

/** The connect form with what the user has typed so far, and known servers. `onShow`: lists live sessions too. */
export function AddServerForm({
  workbench: { draft, setDraft, onConnected },
  onShow,
}: {
  readonly workbench: WorkbenchState;
  readonly onShow?: WorkbenchState['show'];
}) {
  return (
    <Suspense>
      <AddServer draft={draft} onDraft={setDraft} onConnected={onConnected} {...(onShow && { onShow })} />
    </Suspense>
  );
}

interface DialogProps {
  readonly workbench: WorkbenchState;
  readonly onClose: () => void;
}

function PaletteDialog({ workbench, onClose }: DialogProps) {
  const { connections, selected, inFile, setDialog, pickRecordings, actions } = workbench;
  const { openPanel, openCompare, openRecordings, pages, openShare } = workbench;
  const { restart, retry, disconnect, remove, watch, watching } = actions;
  return (
    <WorkbenchPalette
      connections={connections}
      selected={selected}
      openPanel={openPanel}
      commands={{
        ...(!inFile && {
          add: () => setDialog('add'),
          openRecording: () => pickRecordings(),
          compare: openCompare,
        }),
        recordings: openRecordings,
        pages: pages.map(({ id, title }) => ({ title, open: () => navigate({ page: id }) })),
        share: openShare,
        restart,
        retry,
        disconnect,
        watch,
        watching,
        remove: () => selected && remove([selected.id]),
        removeEnded: () => remove(endedRuns(connections)),
      }}
      onClose={onClose}
    />
  );
}

/** Shown while a dialog loads. It takes the keyboard at once, so that no key reaches the page behind it. */
function LoadingDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Loading" bare onClose={onClose}>
      <p className="flex h-10 items-center gap-2 px-3 text-muted">
        <Spinner /> Loading…
      </p>
    </Dialog>
  );
}
