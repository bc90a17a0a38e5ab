/** The columns of the list of recordings; one without a title holds what can be done. */
export const COLUMNS: readonly { readonly title: string; readonly spoken?: string; readonly className: string }[] = [
  { title: '', spoken: 'Select', className: 'w-6' },
  { title: 'Server', className: 'px-1 text-left' },
  { title: 'When', className: 'w-44 px-2 text-left' },
  { title: 'How long', className: 'w-24 px-2 text-right' },
  { title: 'Frames', className: 'w-20 px-2 text-right' },
  { title: 'Problems', className: 'w-20 px-2 text-right' },
  { title: 'Size', className: 'w-20 px-2 text-right' },
  { title: '', spoken: 'Actions', className: 'w-8' },
];

/** Of a cell with a figure. */
export const NUMBER = 'tabular px-2 py-1 text-right whitespace-nowrap';
