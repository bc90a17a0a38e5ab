import { useDocument } from '@/components/form/use-document';
import { Button } from '@/components/ui/button';
import { useDraft } from '@/lib/hooks/use-draft';
import { navigate } from '@/lib/hooks/use-location';
import type { Log } from '@/lib/store/log';
import type { Row } from '@/lib/store/row';
import { type EditPlace, editPlace } from './edit-place';

/** Opens what was sent where it can be changed and sent again. */
export function EditButton({ log, row }: { readonly log: Log; readonly row: Row }) {
  const place = editPlace(log, row);
  if ('document' in place) return <EditInForm key={place.document} place={place} />;
  return <EditElsewhere place={place} />;
}

function EditInForm({ place }: { readonly place: Extract<EditPlace, { document: string }> }) {
  const document = useDocument(place.document);
  return (
    <Edit
      title="Open its form with these arguments"
      onEdit={() => {
        document.setText(place.text());
        navigate({ panel: place.panel, item: place.item });
      }}
    />
  );
}

function EditElsewhere({ place }: { readonly place: Exclude<EditPlace, { document: string }> }) {
  const [, setRaw] = useDraft('raw', '');
  return place.panel === 'raw' ? (
    <Edit
      title="Open its text in Raw"
      onEdit={() => {
        setRaw(place.text());
        navigate({ panel: 'raw', item: undefined });
      }}
    />
  ) : (
    <Edit title="Open the resource" onEdit={() => navigate({ panel: place.panel, item: place.item })} />
  );
}

function Edit({ title, onEdit }: { readonly title: string; readonly onEdit: () => void }) {
  return (
    <Button variant="ghost" size="small" title={title} onClick={onEdit}>
      Edit
    </Button>
  );
}
