import { useDocument } from '@/components/form/use-document';
import { useDraft } from '@/lib/hooks/use-draft';
import { navigate } from '@/lib/hooks/use-location';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import { editPlace } from './edit-place';

interface Edit {
  /** Where it leads. */
  readonly title: string;
  readonly edit: () => void;
}

/** Opens what was sent where it can be changed and sent again. Its bytes have to be here. */
export function useEdit(log: Log, row: Row): Edit {
  const place = editPlace(log, row);
  const document = useDocument('document' in place ? place.document : 'none');
  const [, setRaw] = useDraft('raw', '');
  if ('document' in place) {
    return {
      title: 'Open its form with these arguments',
      edit: () => {
        document.setText(place.text());
        navigate({ panel: place.panel, item: place.item });
      },
    };
  }
  if (place.panel !== 'raw') {
    return { title: 'Open the resource', edit: () => navigate({ panel: place.panel, item: place.item }) };
  }
  return {
    title: 'Open its text in Raw',
    edit: () => {
      setRaw(place.text());
      navigate({ panel: 'raw', item: undefined });
    },
  };
}
