/** The columns of the list of recordings; one without a title holds what can be done. */
export const COLUMNS: readonly { readonly title: string; readonly spoken?: string; readonly className: string }[] = [
  { title: '', spoken: 'Select', className: 'w-7' },
  { title: 'Server', className: 'text-left' },
  { title: 'When', className: 'w-44 text-left' },
  { title: 'How long', className: 'w-24 text-right' },
  { title: 'Frames', className: 'w-20 text-right' },
  { title: 'Problems', className: 'w-20 text-right' },
  { title: 'Size', className: 'w-20 text-right' },
  { title: '', spoken: 'Actions', className: 'w-8' },
];

/** Of a cell with a figure. */
export const NUMBER = 'tabular px-2 py-1 text-right whitespace-nowrap';
