import { Button } from '@/components/ui/button';
import { saveFile } from './save-file';

/** Saves bytes or text to a file. */
export function Download({
  content,
  name,
}: {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly name: string;
}) {
  return (
    <Button size="small" onClick={() => saveFile(content, name)}>
      Download
    </Button>
  );
}
