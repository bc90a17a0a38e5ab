import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { ErrorNote } from '@/components/ui/notices';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { unlistedTools } from '@/features/intercept/lib/overlay-edit';
import { countOf } from '@/lib/wire/format';
import type { HostOverlay } from './use-overlay';

interface OverlayNoteProps {
  readonly host: HostOverlay;
  readonly isReadOnly: boolean;
  /** The list of tools was read to its end. */
  readonly isListed: boolean;
  readonly onShow: () => void;
}

/** Warns above the list when an overlay changes what the host sees. */
export function OverlayNote({ host, isReadOnly, isListed, onShow }: OverlayNoteProps) {
  const { overlay, lost, learns, set, forget, failure, tools } = host;
  if (lost && !isReadOnly) {
    return (
      <section
        aria-label="Changes not in force"
        className="flex shrink-0 flex-col gap-1 border-b border-line px-2 py-1 text-small"
      >
        <p className="text-warn">
          ! Your changes of {countOf(Object.keys(lost.tools).length, 'tool')} are not in force
        </p>
        <span className="flex gap-1">
          <Button size="small" onClick={() => void set(lost)}>
            Apply again
          </Button>
          <Button size="small" variant="ghost" onClick={forget}>
            Discard
          </Button>
        </span>
        {failure && <ErrorNote failure={failure} codeless />}
      </section>
    );
  }
  if (!overlay) return null;
  const changes = Object.values(overlay.file.tools);
  const hidden = changes.filter((change) => change.hidden).length;
  const unlisted =
    isListed && tools
      ? unlistedTools(
          overlay.file,
          tools.map(({ name }) => name),
        )
      : [];
  const parts = [
    changes.length > hidden && `${countOf(changes.length - hidden, 'tool')} changed`,
    hidden > 0 && `${hidden} hidden`,
  ];
  return (
    <section
      aria-label="Tools as the host sees them"
      className="flex shrink-0 items-center gap-2 border-b border-line px-2 py-1 text-small"
    >
      <Icon name="eye" />
      <span className="min-w-0 flex-1">
        <span role="status">{parts.filter(Boolean).join(', ')} for the host</span>
        {unlisted.length > 0 && (
          <span className="block text-warn">
            ! The server does not list <UntrustedText text={unlisted[0]!} limit={80} className="font-mono text-wire" />
            {unlisted.length > 1 && ` and ${countOf(unlisted.length - 1, 'more tool')}`}
          </span>
        )}
        {learns === 'asks' && !isReadOnly && <span className="block text-muted">Seen when the host asks again</span>}
      </span>
      <Button size="small" onClick={onShow}>
        Changes
      </Button>
    </section>
  );
}
