import { Button } from '@/components/ui/button';

/** Saves bytes or text to a file. */
export function Download({
  content,
  name,
  label = 'Download',
}: {
  /** The content, or a function that is called on click. */
  readonly content: string | Uint8Array<ArrayBuffer> | (() => Uint8Array<ArrayBuffer>);
  readonly name: string;
  readonly label?: string;
}) {
  return (
    <Button size="small" onClick={() => saveFile(typeof content === 'function' ? content() : content, name)}>
      {label}
    </Button>
  );
}

/** Saves bytes or text to a file. The generic MIME type keeps the browser from running any of it. */
export function saveFile(content: string | Blob | Uint8Array<ArrayBuffer>, name: string): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName(name);
  link.click();
  // The browser holds the bytes itself once the download has started.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Turns a server's name for something into a safe file name. */
function fileName(name: string): string {
  const last = name.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  return (
    last
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 120) || 'download'
  );
}
