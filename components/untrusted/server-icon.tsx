import { useMemo } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import { isObject, own, textOrJson } from '@/lib/json/value';
import { formatCount } from '@/lib/wire/format';
import { declaredSize, decodeBase64, sniffImageType, useBlobUrl } from './image-bytes';

/** Longest `data:` URL of an icon that is decoded, in characters. Icons of 256 px take about 50,000. */
const LONGEST = 400_000;
/** Largest width or height of an icon that is decoded, in px. Hosts draw them with up to 512. */
const WIDEST = 2048;
/** Most icons of one thing that are looked at. */
const MOST = 20;

/** An icon as the server declares it, and the picture in it if it is shown. */
export interface DeclaredIcon {
  /** The URL; '' if it is not a string. */
  readonly src: string;
  readonly mimeType: string | undefined;
  readonly sizes: string | undefined;
  readonly theme: 'light' | 'dark' | undefined;
  readonly picture: { readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string } | undefined;
  /** Why it is not shown, as words after the URL. */
  readonly why: string | undefined;
}

/** Reads the icons of a tool, resource, template, prompt or server. */
export function declaredIcons(entry: unknown): readonly DeclaredIcon[] {
  const icons = isObject(entry) ? own(entry, 'icons') : undefined;
  return Array.isArray(icons) ? icons.slice(0, MOST).map(declaredIcon) : [];
}

function declaredIcon(icon: unknown): DeclaredIcon {
  const text = (key: string) => {
    const value = isObject(icon) ? own(icon, key) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const src = text('src') ?? '';
  const theme = text('theme');
  const sizes = isObject(icon) ? own(icon, 'sizes') : undefined;
  const found = pictureIn(src);
  return {
    src,
    mimeType: text('mimeType'),
    // A string in drafts, an array since 2025-11-25.
    sizes: Array.isArray(sizes) ? sizes.slice(0, MOST).map(textOrJson).join(' ').slice(0, 100) : text('sizes'),
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    picture: typeof found === 'string' ? undefined : found,
    why: typeof found === 'string' ? found : undefined,
  };
}

const DATA_URL = /^data:([^,]{0,200}),/i;

/** Returns the picture in a `data:` URL, or why there is none. The type is that of its bytes. */
function pictureIn(src: string): DeclaredIcon['picture'] | string {
  if (/^https:/i.test(src)) return 'not loaded: the page makes no requests to other hosts';
  const [start, header] = DATA_URL.exec(src.slice(0, 300)) ?? [];
  if (start === undefined || header === undefined) return 'rejected: only https: and data: are allowed';
  if (src.length > LONGEST) return 'too large to show';
  const bytes = /;\s*base64\s*$/i.test(header)
    ? decodeBase64(src.slice(start.length))
    : percentBytes(src.slice(start.length));
  const type = bytes && sniffImageType(bytes);
  if (!bytes || !type) return 'not an image';
  const [width, height] = declaredSize(bytes, type) ?? [0, 0];
  if (Math.max(width, height) > WIDEST) return `too large to show: ${formatCount(width)} × ${formatCount(height)} px`;
  return { bytes, type };
}

function percentBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(new TextEncoder().encode(decodeURIComponent(text)));
  } catch {
    return undefined;
  }
}

/**
 * The icon of a tool, resource, template, prompt or server. Only a `data:` URL is shown, in an `<img>`, where svg can
 * neither run scripts nor load anything. Empty if there is none.
 */
export function ServerIcon({ entry, size }: { readonly entry: unknown; readonly size: 16 | 20 }) {
  const picture = useMemo(() => iconFor(declaredIcons(entry))?.picture, [entry]);
  const url = useBlobUrl(picture?.bytes, picture?.type ?? '');
  if (!picture) return null;
  return (
    <span aria-hidden="true" className="inline-flex shrink-0 self-center" style={{ width: size, height: size }}>
      {url && (
        // biome-ignore lint/performance/noImgElement: a static export has no image optimiser, and a blob needs none
        <img src={url} alt="" width={size} height={size} decoding="async" className="size-full object-contain" />
      )}
    </span>
  );
}

/** Returns the icon to show: one for the light or dark theme of the page, else one without a theme, else any. */
function iconFor(icons: readonly DeclaredIcon[]): DeclaredIcon | undefined {
  const shown = icons.filter(({ picture }) => picture);
  if (shown.length < 2) return shown[0];
  const theme = isDark() ? 'dark' : 'light';
  return shown.find((icon) => icon.theme === theme) ?? shown.find((icon) => icon.theme === undefined) ?? shown[0];
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
}

/** Returns true if an entry declares an icon that is probably shown. Decodes nothing, since lists may be long. */
export function mayShowIcon(entry: unknown): boolean {
  const icons = isObject(entry) ? own(entry, 'icons') : undefined;
  if (!Array.isArray(icons)) return false;
  return icons.slice(0, MOST).some((icon) => {
    const src = isObject(icon) ? own(icon, 'src') : undefined;
    return typeof src === 'string' && src.length <= LONGEST && DATA_URL.test(src.slice(0, 300));
  });
}

/** Characters shown of an icon's URL. */
const SHOWN = 80;

/** The icons that an entry declares, closed at first: URL, type, sizes, theme, and why one is not shown. */
export function IconFacts({ entry }: { readonly entry: unknown }) {
  const icons = useMemo(() => declaredIcons(entry), [entry]);
  if (icons.length === 0) return null;
  return (
    <details className="min-w-0 open:w-full">
      <summary className="text-small text-muted">icons ({icons.length})</summary>
      <ul className="text-small">
        {icons.map(({ src, mimeType, sizes, theme, why, picture }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: icons have no other identity
          <li key={index} className="min-w-0 break-words">
            <bdi className="font-mono">
              {visibleText(src.length > SHOWN ? `${src.slice(0, SHOWN)}…` : src || '(no src)')}
            </bdi>{' '}
            <span className="text-muted">
              {visibleText([mimeType, sizes, theme].filter(Boolean).join(' · ').slice(0, 200))}
              {picture && ` · shown as ${picture.type}`}
              {why !== undefined && ` · ${why}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
