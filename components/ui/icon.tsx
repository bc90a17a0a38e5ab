/** Outlines in a box of 16, one stroke wide: fonts lack some of these glyphs. */
const PATHS = {
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  pause: 'M6 4v8M10 4v8',
  follow: 'M8 3v8M4.5 8 8 11.5 11.5 8M4 14h8',
  maximise: 'M3.5 10 8 5.5 12.5 10',
  restore: 'M3.5 6 8 10.5 12.5 6',
} as const;

/** A 16 px icon in the colour of the text around it. Says nothing by itself: name the button. */
export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
