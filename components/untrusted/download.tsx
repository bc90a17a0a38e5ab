import { Button } from '@/components/ui/button';
import { saveFile } from './save-file';

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
