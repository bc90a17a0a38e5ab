import { Button } from '@/components/ui/button';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import { useEdit } from './use-edit';

/** Opens what was sent where it can be changed and sent again. */
export function EditButton({ log, row }: { readonly log: Log; readonly row: Row }) {
  const { title, edit } = useEdit(log, row);
  return (
    <Button variant="ghost" size="small" title={title} onClick={edit}>
      Edit
    </Button>
  );
}
