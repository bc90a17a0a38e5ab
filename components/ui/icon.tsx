/** Outlines in a 16 × 16 box, because fonts lack some of these glyphs. */
const PATHS = {
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  restart: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3',
  disconnect: 'M8 3l4.5 5.5h-9zM3.5 12h9',
  swap: 'M5.5 3v10M2.5 10l3 3 3-3M10.5 13V3M7.5 6l3-3 3 3',
  search: 'M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10.2 10.2l3.3 3.3',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  browse: 'M2.5 3h11v10h-11zM6 3v10M8.5 6h3M8.5 9h3',
  hand: 'M5 8V4.2a1 1 0 0 1 2 0V7M7 7V3.2a1 1 0 0 1 2 0V7M9 7V4a1 1 0 0 1 2 0v3.5M11 6.5a1 1 0 0 1 2 0V10a4 4 0 0 1-4 4H8.2a3.5 3.5 0 0 1-2.8-1.4L2.6 9a1 1 0 0 1 1.5-1.3L5 8.6',
  down: 'M4.5 6.5 8 10l3.5-3.5',
  log: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  pause: 'M6 4v8M10 4v8',
  resume: 'M5.5 3.5 12 8l-6.5 4.5z',
  clear: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM4.2 4.2l7.6 7.6',
  timeline: 'M2.5 4.5h6M5.5 8h8M3.5 11.5h4M11 4.5h2.5',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  follow: 'M8 3v8M4.5 8 8 11.5 11.5 8M4 14h8',
  maximise: 'M3.5 10 8 5.5 12.5 10',
  restore: 'M3.5 6 8 10.5 12.5 6',
  filter: 'M2.5 3h11L9.5 8v4.5l-3 1.2V8z',
  tools: 'M13.3 5.1a3.4 3.4 0 0 1-4.5 4l-4.4 4.4a1.3 1.3 0 0 1-1.9-1.9l4.4-4.4a3.4 3.4 0 0 1 4-4.5L8.9 4.7l.4 2 2 .4z',
  resources: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  prompts: 'M2.5 3h11v7.5H7.5l-3 2.7v-2.7h-2z',
  chat: 'M2.5 2.5h8v6h-4l-2.5 2v-2H2.5zM12.5 5.5h1v6h-1v2l-2.5-2H6.5',
  apps: 'M2.5 3h11v10h-11zM2.5 5.8h11M4.3 4.4h.01M6 4.4h.01',
  tasks: 'M2.5 4.5 4 6l2.5-3M2.5 11 4 12.5 6.5 9.5M9 4.5h4.5M9 11h4.5',
  inbox: 'M2.5 9 4.5 3h7l2 6v4h-11zM2.5 9H6l.7 1.5h2.6L10 9h3.5',
  hold: 'M2.5 8h3M10.5 8h3M6.5 4.5v7M9.5 4.5v7',
  server: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01',
  key: 'M5.5 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8 8h6M12 8v2.5',
  problems: 'M8 2.5 14 13H2zM8 6.5v3M8 11.2v.1',
  recordings: 'M8 2.5a5.5 5.5 0 1 0 5.5 5.5M8 5v3l2 1.5M10.5 2.8h.01M12.6 4.7h.01',
  pin: 'M8 10v4M4.5 10h7M6 2.5h4l-.6 4 1.6 1.7V10H5V8.2l1.6-1.7z',
  eye: 'M1.8 8C4.5 3 11.5 3 14.2 8 11.5 13 4.5 13 1.8 8zM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z',
  note: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3zM9 4.7 11.3 7',
  bookmark: 'M4.5 2.5h7v11L8 10.6l-3.5 2.9z',
  back: 'M9.5 4 5.5 8l4 4',
  forward: 'M6.5 4l4 4-4 4',
  logs: 'M2.5 2.5h11v11h-11zM5 6h.01M7 6h4M5 8.5h.01M7 8.5h4M5 11h.01M7 11h2',
  spans: 'M2.5 3.5h11M4.5 8h6M7.5 12.5h6',
  raw: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  settings:
    'M6.8 3.4L7.0 1.9L9.0 1.9L9.2 3.4L10.4 4.0L11.6 2.9L13.1 4.4L12.0 5.6L12.6 6.8L14.1 7.0L14.1 9.0L12.6 9.2L12.0 10.4L13.1 11.6L11.6 13.1L10.4 12.0L9.2 12.6L9.0 14.1L7.0 14.1L6.8 12.6L5.6 12.0L4.4 13.1L2.9 11.6L4.0 10.4L3.4 9.2L1.9 9.0L1.9 7.0L3.4 6.8L4.0 5.6L2.9 4.4L4.4 2.9L5.6 4.0zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
} as const;

export type IconName = keyof typeof PATHS;

/** Says whether what belongs to a line is unfolded. As large as the marker of a `summary`. */
export function Chevron({ open }: { readonly open: boolean }) {
  return <span aria-hidden="true" className={`chevron shrink-0 text-muted ${open ? 'chevron-open' : ''}`} />;
}

/** A 16 px icon in the text colour. Hidden from screen readers, so the button needs a label. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      aria-hidden="true"
      className="shrink-0"
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
