import { Button } from '@/components/ui/button';

/** Saves bytes or text to a file. */
export function Download({
  content,
  name,
  label = 'Download',
}: {
  /** Or what makes it, when it is wanted. */
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

/** Saves bytes or text to a file. The browser is told it is opaque bytes, so nothing of it can run here. */
export function saveFile(content: string | Blob | Uint8Array<ArrayBuffer>, name: string): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName(name);
  link.click();
  // The download has its own hold on the bytes once the browser has taken the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A server's name for something, made a harmless file name. */
function fileName(name: string): string {
  const last = name.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  return (
    last
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 120) || 'download'
  );
}
