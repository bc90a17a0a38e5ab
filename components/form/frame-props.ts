import type { ReactNode } from 'react';
import type { View } from '@/lib/schema/shape';

/** What stands around an input: a plain field's frame and a group's get the same. */
export interface FrameProps {
  readonly id: string;
  readonly label: string;
  readonly view: View;
  readonly value: unknown;
  readonly required: boolean;
  readonly depth: number;
  readonly problem: string | undefined;
  readonly note: string | undefined;
  readonly bare: boolean | undefined;
  /** True for items of arrays, which are removed and not unset. */
  readonly item: boolean;
  readonly onNull: () => void;
  /** Absent while there is nothing to take away. */
  readonly onUnset: (() => void) | undefined;
  /** Puts the kind's plainest value in. */
  readonly onSet: () => void;
  readonly children: ReactNode;
}
