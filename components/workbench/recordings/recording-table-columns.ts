import type { SortedBy } from './recording-sort';

/** A column of the list of recordings. */
export interface RecordingColumn {
  readonly title: string;
  readonly className: string;
  readonly by: SortedBy;
}

/** The columns with facts, between the boxes and what can be done. */
export const COLUMNS: readonly RecordingColumn[] = [
  { title: 'Server', by: 'server', className: 'px-1 text-left' },
  { title: 'When', by: 'when', className: 'w-44 px-2 text-left' },
  { title: 'How long', by: 'duration', className: 'w-24 px-2 text-right' },
  { title: 'Frames', by: 'frames', className: 'w-20 px-2 text-right' },
  { title: 'Problems', by: 'problems', className: 'w-20 px-2 text-right' },
  { title: 'Size', by: 'size', className: 'w-20 px-2 text-right' },
];

/** Of a cell with a figure. */
export const NUMBER = 'tabular px-2 py-0.5 text-right whitespace-nowrap';
