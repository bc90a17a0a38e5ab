import type { ReactNode } from 'react';
import type { Path } from '@/lib/schema/document';
import type { View } from '@/lib/schema/shape';
import type { FieldProblem } from './problem-board';

/** What stands around an input: a plain field's frame and a group's get the same. */
export interface FrameProps {
  readonly id: string;
  /** The path as a key: what finds the field in the page. */
  readonly fieldKey: string;
  readonly path: Path;
  readonly label: string;
  readonly view: View;
  readonly value: unknown;
  readonly required: boolean;
  readonly depth: number;
  readonly problems: readonly FieldProblem[];
  readonly note: string | undefined;
  readonly bare: boolean;
  /** True for items of arrays, which are removed and moved and not unset. */
  readonly item: boolean;
  readonly last: boolean;
  /** Shown as JSON because the user asked for it. */
  readonly raw: boolean;
  readonly onRaw: (raw: boolean) => void;
  readonly onSet: (value: unknown) => void;
  /** Absent while there is nothing to take away. */
  readonly onUnset: (() => void) | undefined;
  /** Makes the value null, or no longer. */
  readonly onNull: () => void;
  /** Puts the kind's plainest value in. */
  readonly onStart: () => void;
  readonly children: ReactNode;
}
