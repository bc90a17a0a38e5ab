import type { TapAction } from '@/lib/wire/api';

/** A change of a host’s config, which puts a tap around a server or removes it. */
export interface TapChangeProps {
  /** Id of a found server. */
  readonly id: string;
  readonly name: string;
  /** Title of the host. */
  readonly host: string;
  readonly action: TapAction;
  /** The server is tapped already, by files that are gone. */
  readonly isRepair: boolean;
  readonly onWritten: () => void;
  readonly onClose: () => void;
}
